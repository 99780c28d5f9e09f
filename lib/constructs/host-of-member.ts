import { type Problem } from '../api';
import { type Endpoints } from '../expand';
import { unresolvedHost } from './unresolved';

/** Returns the DNS name of a member; reports an index that no member has. `field` of the spec is the number of members. */
export function hostOfMember(
  endpoints: Endpoints | undefined,
  index: number,
  field: string,
  report: (problem: Problem) => void,
): string {
  const host = endpoints?.members.get(index);
  if (endpoints && host === undefined) report(unknownMember([...endpoints.members.keys()], index, field));
  return host ?? unresolvedHost;
}

/** Returns the problem of a workload without members. */
export const noMembers = (field: string): Problem => ({
  code: 'out-of-range',
  path: ['spec', field],
  reason: 'results in no members to connect to',
  remedy: 'raise it',
});

function unknownMember(members: readonly number[], value: number, field: string): Problem {
  const [first, last] = [members[0], members.at(-1)];
  if (first === undefined) return noMembers(field);
  return {
    code: 'out-of-range',
    path: ['spec', field],
    value,
    reason: `is not the index of a member; they are ${first === last ? first : `${first} to ${last}`}`,
    remedy: `use one of these, or raise ${field}`,
  };
}
