/** Returns the restarts that a prediction missed, and those that did not happen. */
export function restartDifferences(
  predicted: readonly string[],
  actual: readonly string[],
): { readonly missed: readonly string[]; readonly spurious: readonly string[] } {
  const [foreseen, happened] = [new Set(predicted), new Set(actual)];
  return {
    missed: [...happened].filter((name) => !foreseen.has(name)).sort(),
    spurious: [...foreseen].filter((name) => !happened.has(name)).sort(),
  };
}
