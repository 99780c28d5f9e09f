import { type FieldPath } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';

/** Field without nested fields, and its value. */
export interface Leaf {
  readonly path: FieldPath;
  readonly value: unknown;
}

type LeafCallback = (object: number, path: FieldPath) => void;

/** Lists the leaves below a value; empty maps and lists count as leaves. */
export function leavesOf(value: unknown, path: FieldPath = []): Leaf[] {
  if (value === undefined) return [];
  const members = membersOf(value);
  if (!members || members.length === 0) return [{ path, value }];
  return members.flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

/**
 * Compares two expansions: reports leaves of the first that have a different value in the second or are missing there.
 *
 * Objects are matched by kind and name, list entries by name, and the rest by order, so that a rename does not count as a removal.
 */
export function differences(
  before: readonly KubernetesObject[],
  after: readonly KubernetesObject[],
  onChanged?: LeafCallback,
  onMissing?: LeafCallback,
): void {
  const partners = matchEntries(
    before,
    after,
    ({ kind, metadata }) => `${kind} ${metadata.name}`,
    ({ kind }) => kind,
  );
  before.forEach((object, index) => {
    const partner = partners[index];
    compare(
      object,
      partner,
      [],
      partner === undefined,
      (path) => onChanged?.(index, path),
      (path) => onMissing?.(index, path),
    );
  });
}

function compare(
  a: unknown,
  b: unknown,
  path: FieldPath,
  isMissing: boolean,
  onChanged: (path: FieldPath) => void,
  onMissing: (path: FieldPath) => void,
): void {
  if (a === b && !isMissing) return;
  const members = membersOf(a);
  if (!members || members.length === 0) {
    if (isMissing) onMissing(path);
    else if (JSON.stringify(a) !== JSON.stringify(b)) onChanged(path);
    return;
  }
  if (Array.isArray(a)) {
    const others = Array.isArray(b) ? (b as unknown[]) : [];
    const partners = matchEntries(a as unknown[], others, entryName, () => 'entry');
    a.forEach((entry: unknown, index) =>
      compare(
        entry,
        partners[index],
        [...path, index],
        isMissing || partners[index] === undefined,
        onChanged,
        onMissing,
      ),
    );
    return;
  }
  const other = typeof b === 'object' && b !== null ? (b as Record<string, unknown>) : {};
  for (const [key, member] of members)
    compare(member, other[key], [...path, key], isMissing || other[key] === undefined, onChanged, onMissing);
}

/** Matches the values of two lists: by identity, otherwise the next unmatched one of the same type. */
function matchEntries<T>(
  first: readonly T[],
  second: readonly T[],
  identity: (value: T) => string | undefined,
  typeOf: (value: T) => string,
): (T | undefined)[] {
  const unmatched = new Set(second);
  const matches = first.map((value) => {
    const name = identity(value);
    const partner =
      name === undefined
        ? undefined
        : second.find((candidate) => unmatched.has(candidate) && identity(candidate) === name);
    if (partner !== undefined) unmatched.delete(partner);
    return partner;
  });
  if (first.length !== second.length && matches.some((partner) => partner !== undefined)) return matches;
  return matches.map((partner, index) => {
    if (partner !== undefined) return partner;
    const value = first[index] as T;
    const next = [...unmatched].find((candidate) => typeOf(candidate) === typeOf(value));
    if (next !== undefined) unmatched.delete(next);
    return next;
  });
}

function entryName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, mountPath, topologyKey } = value as Record<string, unknown>;
  const parts = [name, mountPath, topologyKey].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : parts.join(' ');
}

function membersOf(value: unknown): [string | number, unknown][] | undefined {
  if (Array.isArray(value)) return value.map((member: unknown, index) => [index, member]);
  return typeof value === 'object' && value !== null
    ? Object.entries(value).filter(([, member]) => member !== undefined)
    : undefined;
}
