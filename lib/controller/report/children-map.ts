import { type Observed } from '../observed/child';
import { blocksReadiness, type ObjectState } from './object-status';
import { type DesiredObjectStatus } from './desired-object-status';

/** Maximum number of children that are listed. */
const maxListed = 100;
/** Maximum length of a name or state in the status, in characters. */
const maxNameLength = 320;

/**
 * Returns the state of up to 100 children by kind and name, blocking ones first; one more entry counts the rest.
 */
export function childrenMap(
  statuses: readonly DesiredObjectStatus[],
  observed: Observed,
  rejected: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const states = new Map<string, string>();
  for (const { object, status } of statuses) {
    const name = `${object.kind}/${object.metadata.name}`;
    states.set(name, rejected.has(name) ? 'Rejected' : status.state);
  }
  for (const { kind, name, deleting } of observed.owned) {
    if (!states.has(`${kind}/${name}`)) states.set(`${kind}/${name}`, deleting ? 'Terminating' : 'Unwanted');
  }
  const rank = (state: string) =>
    state === 'Rejected' || state === 'Unwanted' || blocksReadiness(state as ObjectState) ? 0 : 1;
  const sorted = [...states].sort(([a, stateA], [b, stateB]) => rank(stateA) - rank(stateB) || (a < b ? -1 : 1));
  const entries = sorted.slice(0, maxListed).map(([name, state]) => [name.slice(0, maxNameLength), state]);
  const rest = sorted.slice(maxListed);
  return Object.fromEntries([...entries, ...(rest.length > 0 ? [['others', countsOf(rest)]] : [])]) as Record<
    string,
    string
  >;
}

function countsOf(rest: readonly (readonly [string, string])[]): string {
  const counts = new Map<string, number>();
  for (const [, state] of rest) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}
