/** Parses a set of indexes in the Kubernetes notation `0,2-4`; ignores invalid parts. */
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

/** Returns the total number of indexes in several sets. */
export const indexCount = (sets: Readonly<Record<string, string>> | undefined): number =>
  Object.values(sets ?? {}).reduce((sum, set) => sum + parseIndexes(set).size, 0);
