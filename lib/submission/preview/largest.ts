/**
 * Returns the largest number from `min` on, and below `current`, that fulfills a condition; undefined if `min` does
 * not.
 *
 * If the condition holds for a number, it must hold for all smaller ones. A good guess saves evaluations.
 */
export function largest(
  min: number,
  current: number,
  guess: number,
  holds: (number: number) => boolean,
): number | undefined {
  let [low, high] = [min - 1, current];
  for (let next = guess; high - low > 1; next = next === guess ? guess + 1 : Math.floor((low + high) / 2)) {
    const candidate = Math.min(Math.max(next, low + 1), high - 1);
    if (holds(candidate)) low = candidate;
    else high = candidate;
  }
  return low < min ? undefined : low;
}
