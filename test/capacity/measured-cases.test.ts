import {
  fitMemory,
  leaveOneOut,
  meanError,
  memoryBounds,
  memoryCases,
  memoryCoefficients,
  predictMemory,
  physicalRanges,
} from '../../lib/capacity';

test('cross-validated predictions of memory are within a factor of 2 in four of five cases, and of 1.5 on average', () => {
  const ratios = leaveOneOut(memoryCases).map(({ ratio }) => ratio);
  expect(ratios).toHaveLength(memoryCases.length);
  expect(ratios.filter((ratio) => ratio <= 2 && ratio >= 0.5).length / ratios.length).toBeGreaterThanOrEqual(0.8);
  expect(meanError(ratios)).toBeLessThanOrEqual(1.5);
});

test('plans use the coefficients that fit the cases, within physical limits', () => {
  const fitted = fitMemory(memoryCases);
  for (const name of Object.keys(physicalRanges) as (keyof typeof physicalRanges)[]) {
    const { min, max } = physicalRanges[name];
    expect(memoryCoefficients[name]).toBeGreaterThanOrEqual(min);
    expect(memoryCoefficients[name]).toBeLessThanOrEqual(max);
    expect(memoryCoefficients[name] / fitted[name]).toBeCloseTo(1, 1);
  }
});

test('an excluded case does not affect its own prediction', () => {
  const [first] = memoryCases;
  if (!first) throw new Error('there are no cases');
  const before = leaveOneOut(memoryCases)[0]?.predicted;
  const changed = memoryCases.map((one) => (one === first ? { ...one, measured: 10 * one.measured } : one));
  expect(leaveOneOut(changed)[0]?.predicted).toBe(before);
});

test('predictions respect published bounds, except for two limits from hollow nodes', () => {
  const violated = memoryBounds.filter((one) => {
    const value = predictMemory(one, memoryCoefficients);
    return one.kind === 'least' ? value < one.measured : value > one.measured;
  });
  expect(violated.map(({ letter, load }) => [letter, load.nodes])).toEqual([
    ['k', 5],
    ['k', 1000],
  ]);
});

test('assumptions are stated for unpublished inputs', () => {
  for (const one of [...memoryCases, ...memoryBounds].filter(({ letter }) =>
    ['e', 'g', 'k', 'l', 'o', 'q'].includes(letter),
  ))
    expect(one.assumed).toBeDefined();
});
