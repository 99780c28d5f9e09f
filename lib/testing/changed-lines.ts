/** Returns the lines that differ between two texts, with `- ` or `+ ` in front, in the order of the texts and without indentation. */
export function changedLines(before: string, after: string): readonly string[] {
  const [old, next] = [before.split('\n'), after.split('\n')];
  const common = commonLengths(old, next);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    if (i < old.length && j < next.length && old[i] === next[j]) {
      i++;
      j++;
    } else if (j >= next.length || (i < old.length && lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1)))
      lines.push(`- ${(old[i++] ?? '').trim()}`);
    else lines.push(`+ ${(next[j++] ?? '').trim()}`);
  }
  return lines;
}

const lengthAt = (common: readonly (readonly number[])[], i: number, j: number): number => common[i]?.[j] ?? 0;

/** Returns the length of the longest common subsequence of the remaining lines, for each pair of positions. */
function commonLengths(old: readonly string[], next: readonly string[]): number[][] {
  const common = Array.from({ length: old.length + 1 }, () => new Array<number>(next.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = next.length - 1; j >= 0; j--)
      (common[i] as number[])[j] =
        old[i] === next[j]
          ? lengthAt(common, i + 1, j + 1) + 1
          : Math.max(lengthAt(common, i + 1, j), lengthAt(common, i, j + 1));
  return common;
}
