/** Prints a result line: name, value, goal, and whether it was reached. */
export function ratio(name: string, value: number, goal: '<=' | '>=', bound: number): void {
  const isReached = goal === '<=' ? value <= bound : value >= bound;
  console.log(`RATIO ${name} ${value.toFixed(2)} goal ${goal}${bound} ${isReached ? 'ok' : 'short'}`);
}

/** Returns the run with the median value. */
export function median<T>(all: readonly T[], valueOf: (value: T) => number): T {
  const sorted = [...all].sort((a, b) => valueOf(a) - valueOf(b));
  return sorted[Math.floor(sorted.length / 2)] as T;
}
