import { type FieldPath } from '../problem';

/** Returns a copy without the member at a path; everything else is shared. */
export function withoutMember(value: unknown, path: FieldPath): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const entries = value as readonly unknown[];
    return rest.length === 0
      ? entries
      : entries.map((entry, index) => (index === step ? withoutMember(entry, rest) : entry));
  }
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] =>
    key !== String(step) ? [[key, member]] : rest.length === 0 ? [] : [[key, withoutMember(member, rest)]],
  );
  return Object.fromEntries(members);
}
