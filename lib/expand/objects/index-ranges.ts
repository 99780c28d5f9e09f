/** Formats indexes as Kubernetes does: in ascending order and with ranges, such as `0,2-4`. */
export function formatIndexes(indexes: Iterable<number>): string {
  const ranges: [from: number, to: number][] = [];
  for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
