import { liveBytes, physicalRanges, residentFactor, type MemoryCoefficients } from './memory-model';
import { type MemoryCase } from './measured-cases';

/** GOGC of the measured servers, Go's default. */
const measuredGoGc = 100;

/** Returns the model's prediction for a case, in the unit in which the case was measured. */
export function predictMemory(one: MemoryCase, coefficients: MemoryCoefficients): number {
  const live = liveBytes(one.load, coefficients) + (one.lists ?? 0);
  return one.of === 'heap' ? live : live * residentFactor(measuredGoGc);
}

/** Returns the sum of squared logarithmic errors; each letter has the same weight, regardless of its number of rows. */
function loss(cases: readonly MemoryCase[], coefficients: MemoryCoefficients): number {
  let sum = 0;
  for (const row of cases) {
    const rows = cases.filter(({ letter }) => letter === row.letter).length;
    sum += Math.log(predictMemory(row, coefficients) / row.measured) ** 2 / rows;
  }
  return sum;
}

/** Fits the coefficients, within their physical ranges, to the cases; each letter has the same weight. */
export function fitMemory(cases: readonly MemoryCase[]): MemoryCoefficients {
  const names = Object.keys(physicalRanges) as (keyof MemoryCoefficients)[];
  const geometricMean = (name: keyof MemoryCoefficients) =>
    Math.sqrt(physicalRanges[name].min * physicalRanges[name].max);
  let best = {
    base: geometricMean('base'),
    perNode: geometricMean('perNode'),
    perPodByte: geometricMean('perPodByte'),
  };
  let bestLoss = loss(cases, best);
  // Coordinate search with a shrinking step suffices for three coefficients and a smooth loss.
  for (let step = 2; step > 1.00001;) {
    const candidates = names.flatMap((name) => [step, 1 / step].map((factor) => scaleCoefficient(best, name, factor)));
    const found = candidates
      .map((candidate) => ({ candidate, loss: loss(cases, candidate) }))
      .sort((a, b) => a.loss - b.loss)[0];
    if (found && found.loss < bestLoss - 1e-12) [best, bestLoss] = [found.candidate, found.loss];
    else step = Math.sqrt(step);
  }
  return best;
}

function scaleCoefficient(
  from: MemoryCoefficients,
  name: keyof MemoryCoefficients,
  factor: number,
): MemoryCoefficients {
  const { min, max } = physicalRanges[name];
  return { ...from, [name]: Math.min(max, Math.max(min, from[name] * factor)) };
}

/** A case with the prediction of a model fitted without its letter. */
export interface HoldoutCase {
  readonly case: MemoryCase;
  readonly predicted: number;
  /** Predicted divided by measured. */
  readonly ratio: number;
}

/** Fits the model without each letter in turn, and predicts the rows of that letter. */
export function leaveOneOut(cases: readonly MemoryCase[]): HoldoutCase[] {
  const letters = [...new Set(cases.map(({ letter }) => letter))];
  return letters.flatMap((letter) => {
    const coefficients = fitMemory(cases.filter((one) => one.letter !== letter));
    return cases
      .filter((one) => one.letter === letter)
      .map((one) => {
        const predicted = predictMemory(one, coefficients);
        return { case: one, predicted, ratio: predicted / one.measured };
      });
  });
}

/** Returns the geometric mean of the error factors: 1 is exact, 2 is double or half. */
export const meanError = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.abs(Math.log(ratio)), 0) / ratios.length);
