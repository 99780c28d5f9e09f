import { type FieldPath } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';

/** Field without nested fields, and its value. */
export interface Leaf {
  readonly path: FieldPath;
  readonly value: unknown;
}

type Note = (object: number, path: FieldPath) => void;

/** Lists the leaves below a value; empty maps and lists count as leaves. */
export function leavesOf(value: unknown, path: FieldPath = []): Leaf[] {
  if (value === undefined) return [];
  const members = membersOf(value);
  if (!members || members.length === 0) return [{ path, value }];
  return members.flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

/**
 * Compares two expansions: reports which leaves of the first have another value in the second, and which are missing there.
 *
 * Objects are matched by kind and name, list entries by name, and the rest by order, so that a rename does not count as a removal.
 */
export function differences(
  before: readonly KubernetesObject[],
  after: readonly KubernetesObject[],
  changed?: Note,
  gone?: Note,
): void {
  const partners = matched(
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
      (path) => changed?.(index, path),
      (path) => gone?.(index, path),
    );
  });
}

function compare(
  a: unknown,
  b: unknown,
  path: FieldPath,
  absent: boolean,
  changed: (path: FieldPath) => void,
  gone: (path: FieldPath) => void,
): void {
  if (a === b && !absent) return;
  const members = membersOf(a);
  if (!members || members.length === 0) {
    if (absent) gone(path);
    else if (JSON.stringify(a) !== JSON.stringify(b)) changed(path);
    return;
  }
  if (Array.isArray(a)) {
    const others = Array.isArray(b) ? (b as unknown[]) : [];
    const partners = matched(a as unknown[], others, nameOf, () => 'entry');
    a.forEach((entry: unknown, index) =>
      compare(entry, partners[index], [...path, index], absent || partners[index] === undefined, changed, gone),
    );
    return;
  }
  const other = typeof b === 'object' && b !== null ? (b as Record<string, unknown>) : {};
  for (const [key, member] of members)
    compare(member, other[key], [...path, key], absent || other[key] === undefined, changed, gone);
}

/** Matches the values of two lists: by identity, otherwise the next unmatched one of the same type. */
function matched<T>(
  first: readonly T[],
  second: readonly T[],
  identity: (value: T) => string | undefined,
  sort: (value: T) => string,
): (T | undefined)[] {
  const left = new Set(second);
  const exact = first.map((value) => {
    const name = identity(value);
    const partner =
      name === undefined ? undefined : second.find((candidate) => left.has(candidate) && identity(candidate) === name);
    if (partner !== undefined) left.delete(partner);
    return partner;
  });
  if (first.length !== second.length && exact.some((partner) => partner !== undefined)) return exact;
  return exact.map((partner, index) => {
    if (partner !== undefined) return partner;
    const value = first[index] as T;
    const next = [...left].find((candidate) => sort(candidate) === sort(value));
    if (next !== undefined) left.delete(next);
    return next;
  });
}

function nameOf(value: unknown): string | undefined {
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
