/** Reads a set of indexes as Kubernetes writes one, `0,2-4`; what is no index is passed over. */
export function parseIndexes(text: string | undefined): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    const match = /^([0-9]+)(?:-([0-9]+))?$/.exec(part);
    if (!match) continue;
    const from = Number(match[1]);
    for (let index = from; index <= Number(match[2] ?? from); index++) indexes.add(index);
  }
  return indexes;
}

/** Writes a set of indexes as Kubernetes does: rising, neighbours joined, `0,2-4`. */
export function formatIndexes(indexes: Iterable<number>): string {
  const ranges: [from: number, to: number][] = [];
  for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
