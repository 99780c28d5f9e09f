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
export const isWithin2x = (off: number): boolean => off <= 2 && off >= 0.5;

/** Reasons why the model violates a published limit. */
const shortfalls: Readonly<Record<string, string>> = {
  'k 5': 'an idle server is larger than 0.15 GB today; 5 hollow nodes of 2016',
  'k 1000': 'a limit for hollow nodes: real ones took 4.29 GB (case c)',
};

function notesOn(one: MemoryCase, value: number): string {
  const { kind, measured, letter, load, assumed } = one;
  const holds =
    kind === 'measured' ? isWithin2x(value / measured) : kind === 'least' ? value >= measured : value <= measured;
  const notes = [
    ...(holds ? [] : [`SHORT: ${shortfalls[`${letter} ${load.nodes}`] ?? 'not explained'}`]),
    ...(assumed ? [`assumed: ${assumed}`] : []),
  ];
  return notes.join('; ') || '-';
}

const sides = { measured: '', limit: '<= ', most: '<= ', least: '>= ' } as const;
const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2);

function rowOf(one: MemoryCase, value: number): string[] {
  const { letter, description: what, load, of, kind, measured, source } = one;
  const [nodes, pods] = [load.nodes, load.pods].map((count) => (count === 0 ? '-' : String(count)));
  const off = kind === 'measured' ? (value / measured).toFixed(2) : '-';
  return [
    letter,
    what,
    nodes ?? '',
    pods ?? '',
    of,
    `${sides[kind]}${gigabytes(measured)}`,
    gigabytes(value),
    off,
    source,
    notesOn(one, value),
  ];
}

/**
 * Compares the model with all published cases of API server memory.
 *
 * Measured cases are cross-validated: coefficients are fitted without the predicted case; limits have one side.
 */
export function measuredCasesTable(): string {
  const rows = [
    ...leaveOneOut(memoryCases).map(({ case: one, predicted }) => rowOf(one, predicted)),
    ...memoryBounds.map((one) => rowOf(one, predictMemory(one, memoryCoefficients))),
    ...Object.entries(incomparable).map(([letter, why]) => [
      letter.slice(0, 1),
      letter.slice(3) || '-',
      ...Array.from({ length: 7 }, () => '-'),
      `not compared: ${why}`,
    ]),
  ];
  const head = ['CASE', 'WHAT', 'NODES', 'PODS', 'OF', 'SEEN, GB', 'MODEL, GB', 'RATIO', 'SOURCE', 'NOTES'];
  const letterOf = (row: readonly string[]): string => row[0] ?? '';
  return tableText(
    head,
    rows.sort((a, b) => letterOf(a).localeCompare(letterOf(b))),
  );
}
