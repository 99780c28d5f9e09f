/** Prints a result line: name, value, goal, and whether it was reached. */
export function ratio(name: string, value: number, goal: '<=' | '>=', bound: number): void {
  const reached = goal === '<=' ? value <= bound : value >= bound;
  console.log(`RATIO ${name} ${value.toFixed(2)} goal ${goal}${bound} ${reached ? 'ok' : 'short'}`);
}

/** Returns the median run by one figure. */
export function median<T>(all: readonly T[], figure: (value: T) => number): T {
  const sorted = [...all].sort((a, b) => figure(a) - figure(b));
  return sorted[Math.floor(sorted.length / 2)] as T;
}
