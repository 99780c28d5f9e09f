const maxLength = 64;

/** Returns the known name that is most similar to a given one; undefined if none is close. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    // The distance is at least the difference of the lengths.
    if (candidate.length > maxLength || Math.abs(candidate.length - name.length) >= least) continue;
    const steps = distance(name.toLowerCase(), candidate.toLowerCase());
    if (steps < least) {
      best = candidate;
      least = steps;
    }
  }
  return best;
}

/** Returns the edit distance of two strings: insertions, deletions, substitutions, and swaps of adjacent letters. */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= from.length; i++) {
    const above = rows[i - 1] ?? [];
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped =
        from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? (rows[i - 2]?.[j - 2] ?? maxLength) + 1 : maxLength;
      row.push(Math.min(replaced, swapped, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
