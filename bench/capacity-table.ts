import {
  incomparable,
  leaveOneOut,
  memoryBounds,
  memoryCases,
  memoryCoefficients,
  predictMemory,
  type MemoryCase,
} from '../lib/capacity';

/** Aligns rows in columns below their headers, each line indented. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

/** Returns whether a prediction is within a factor of 2 of the measurement. */
export const isWithin2x = (ratio: number): boolean => ratio <= 2 && ratio >= 0.5;

/** Reasons why predictions of the model exceed published limits. */
const knownExceptions: Readonly<Record<string, string>> = {
  'k 5': 'an idle server uses more than 0.15 GB today; the limit is for 5 hollow nodes of 2016',
  'k 1000': 'a limit for hollow nodes; real nodes needed 4.29 GB (case c)',
};

function notesOn(one: MemoryCase, predicted: number): string {
  const { kind, measured, letter, load, assumed } = one;
  const isMet =
    kind === 'measured'
      ? isWithin2x(predicted / measured)
      : kind === 'least'
        ? predicted >= measured
        : predicted <= measured;
  const notes = [
    ...(isMet ? [] : [`LIMIT BELOW PREDICTION: ${knownExceptions[`${letter} ${load.nodes}`] ?? 'not explained'}`]),
    ...(assumed ? [`assumed: ${assumed}`] : []),
  ];
  return notes.join('; ') || '-';
}

const sides = { measured: '', limit: '<= ', most: '<= ', least: '>= ' } as const;
const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2);

function rowOf(one: MemoryCase, predicted: number): string[] {
  const { letter, description: setup, load, of, kind, measured, source } = one;
  const [nodes, pods] = [load.nodes, load.pods].map((count) => (count === 0 ? '-' : String(count)));
  const ratio = kind === 'measured' ? (predicted / measured).toFixed(2) : '-';
  return [
    letter,
    setup,
    nodes ?? '',
    pods ?? '',
    of,
    `${sides[kind]}${gigabytes(measured)}`,
    gigabytes(predicted),
    ratio,
    source,
    notesOn(one, predicted),
  ];
}

/**
 * Compares the model with all published cases of API server memory.
 *
 * Measured cases are cross-validated: coefficients are fitted without the predicted case. Limits are one-sided.
 */
export function measuredCasesTable(): string {
  const rows = [
    ...leaveOneOut(memoryCases).map(({ case: one, predicted }) => rowOf(one, predicted)),
    ...memoryBounds.map((one) => rowOf(one, predictMemory(one, memoryCoefficients))),
    ...Object.entries(incomparable).map(([letter, reason]) => [
      letter.slice(0, 1),
      letter.slice(3) || '-',
      ...Array.from({ length: 7 }, () => '-'),
      `not compared: ${reason}`,
    ]),
  ];
  const head = ['CASE', 'SETUP', 'NODES', 'PODS', 'METRIC', 'MEASURED (GB)', 'MODEL (GB)', 'RATIO', 'SOURCE', 'NOTES'];
  const letterOf = (row: readonly string[]): string => row[0] ?? '';
  return tableText(
    head,
    rows.sort((a, b) => letterOf(a).localeCompare(letterOf(b))),
  );
}
