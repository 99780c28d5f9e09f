import { type Observed } from '../observed/child';
import { blocksReadiness, type ObjectState } from './object-status';
import { type DesiredObjectStatus } from './desired-object-status';

/** Maximum number of children that are listed. */
const maxListed = 100;
/** Maximum length of a name or state in the status, in characters. */
const longestName = 320;

/**
 * Returns the state of children by kind and name: blocking ones first, at most a hundred, and the rest
 * counted in one entry.
 */
export function childrenMap(
  statuses: readonly DesiredObjectStatus[],
  observed: Observed,
  refused: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const words = new Map<string, string>();
  for (const { object, status } of statuses) {
    const name = `${object.kind}/${object.metadata.name}`;
    words.set(name, refused.has(name) ? 'Rejected' : status.state);
  }
  for (const { kind, name, deleting } of observed.owned) {
    if (!words.has(`${kind}/${name}`)) words.set(`${kind}/${name}`, deleting ? 'Terminating' : 'Unwanted');
  }
  const rank = (word: string) =>
    word === 'Rejected' || word === 'Unwanted' || blocksReadiness(word as ObjectState) ? 0 : 1;
  const sorted = [...words].sort(([a, one], [b, other]) => rank(one) - rank(other) || (a < b ? -1 : 1));
  const listed = sorted.slice(0, maxListed).map(([name, state]) => [name.slice(0, longestName), state]);
  const rest = sorted.slice(maxListed);
  return Object.fromEntries([...listed, ...(rest.length > 0 ? [['others', countsOf(rest)]] : [])]) as Record<
    string,
    string
  >;
}

function countsOf(rest: readonly (readonly [string, string])[]): string {
  const counts = new Map<string, number>();
  for (const [, word] of rest) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}
