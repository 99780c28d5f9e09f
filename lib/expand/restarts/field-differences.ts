import { formatPath, holdsSecretText, isPlainObject, isSensitivePath, type FieldPath } from '../../api';

/** Field that differs; a value is omitted if it is absent, or could be a secret. */
export interface FieldDifference {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Path of a field; list entries are identified by their names if all of them have one. */
export type Steps = readonly (string | number | { readonly entry: string })[];

/** Returns the leaf fields in which two values differ; objects are never shown as values. */
export function fieldDifferences(from: unknown, to: unknown, at: Steps): FieldDifference[] {
  return differencesOf(from, to, at, at.slice(-1).map(nameOfStep));
}

/** Like `fieldDifferences`; `names` are those that say what a text is. */
function differencesOf(from: unknown, to: unknown, at: Steps, names: readonly string[]): FieldDifference[] {
  if (Object.is(from, to)) return [];
  const members = membersOf(from, to);
  if (members)
    return members.flatMap(([step, one, other]) =>
      differencesOf(one, other, [...at, step], namesOfMember(step, from, to, names)),
    );
  if (isSameLeaf(from, to)) return [];
  const fieldPath = at.map((step) => (typeof step === 'object' ? step.entry : step));
  const path = formatSteps(at);
  if (isSensitivePath(fieldPath) || [from, to].some((value) => isBlock(value) || isSecret(value, names)))
    return [{ path }];
  return [{ path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
}

/** Returns the shortest paths at which two values differ: a field or entry that only one of them has is one path. */
export function changedSteps(from: unknown, to: unknown, at: Steps = []): Steps[] {
  const isOneMissing = from === undefined || to === undefined;
  const members = namedMembersOf(from, to) ?? (isOneMissing ? undefined : membersOf(from, to));
  if (members) return members.flatMap(([step, one, other]) => changedSteps(one, other, [...at, step]));
  return fieldDifferences(from, to, []).length > 0 ? [at] : [];
}

/** Returns the entries of a named list of which the other side has none. */
function namedMembersOf(from: unknown, to: unknown): Member[] | undefined {
  const isNone = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);
  if (!isNone(from) && !isNone(to)) return undefined;
  const list: unknown = isNone(from) ? to : from;
  const named = Array.isArray(list) && list.length > 0 ? byName(list) : undefined;
  return (
    named &&
    [...named].map(([entry, value]) => [{ entry }, isNone(from) ? undefined : value, isNone(from) ? value : undefined])
  );
}

/** Returns whether a text looks like a secret, or its field is named like one. */
const isSecret = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'string' && (names.length > 0 ? names : ['']).some((name) => holdsSecretText(value, name));

const nameOfStep = (step: Steps[number]): string => (typeof step === 'object' ? step.entry : String(step));

/** Returns the names that say what a member is; the value of a header or parameter has the name beside it. */
function namesOfMember(step: Steps[number], from: unknown, to: unknown, names: readonly string[]): readonly string[] {
  if (typeof step === 'number') return names;
  if (step !== 'value') return [nameOfStep(step)];
  const beside = [from, to].flatMap((one) => (isPlainObject(one) ? one['name'] : undefined));
  const found = beside.filter((name) => typeof name === 'string');
  return found.length > 0 ? [...new Set(found)] : names;
}

/**
 * Returns whether two values without members are equal: two empty maps, or lists of the same entries in the same order.
 */
function isSameLeaf(from: unknown, to: unknown): boolean {
  if (!isBlock(from) && !isBlock(to)) return isEmpty(from) && isEmpty(to) && Array.isArray(from) === Array.isArray(to);
  if (!Array.isArray(from) || !Array.isArray(to) || from.length !== to.length) return false;
  return from.every((entry, index) => fieldDifferences(entry, to[index], []).length === 0);
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && !isBlock(value);
const isBlock = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

type Member = readonly [step: Steps[number], from: unknown, to: unknown];

/** Returns the members of two values side by side; undefined if one of them is a leaf and not just absent. */
function membersOf(from: unknown, to: unknown): Member[] | undefined {
  if (isMapOrMissing(from) && isMapOrMissing(to)) return fromMaps(from ?? {}, to ?? {});
  if (!isListOrMissing(from) || !isListOrMissing(to)) return undefined;
  return fromLists(from ?? [], to ?? []);
}

const isMapOrMissing = (value: unknown): value is Readonly<Record<string, unknown>> | undefined =>
  value === undefined || (isPlainObject(value) && Object.keys(value).length > 0);
const isListOrMissing = (value: unknown): value is readonly unknown[] | undefined =>
  value === undefined || (Array.isArray(value) && value.length > 0);

function fromMaps(from: Readonly<Record<string, unknown>>, to: Readonly<Record<string, unknown>>): Member[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.map((name) => [name, from[name], to[name]]);
}

function fromLists(from: readonly unknown[], to: readonly unknown[]): Member[] | undefined {
  const [before, after] = [byName(from), byName(to)];
  if (before && after) {
    const names = [...new Set([...before.keys(), ...after.keys()])];
    const members = names.map((entry): Member => [{ entry }, before.get(entry), after.get(entry)]);
    // Entries that were only reordered have no other differences.
    return members.every(([, one, other]) => fieldDifferences(one, other, []).length === 0) ? undefined : members;
  }
  const length = Math.max(from.length, to.length);
  return Array.from({ length }, (_, index): Member => [index, from[index], to[index]]);
}

/** Returns list entries by name; undefined if one has none, or two have the same. */
function byName(list: readonly unknown[]): ReadonlyMap<string, unknown> | undefined {
  const named = new Map<string, unknown>();
  for (const entry of list) {
    const name = isPlainObject(entry) ? entry['name'] : undefined;
    if (typeof name !== 'string' || named.has(name)) return undefined;
    named.set(name, entry);
  }
  return named;
}

/** Formats a path, such as `spec.template.spec.containers[app].image`. */
export function formatSteps(steps: Steps): string {
  let text = '';
  let fieldPath: FieldPath = [];
  for (const step of steps) {
    if (typeof step !== 'object') fieldPath = [...fieldPath, step];
    else {
      text = `${join(text, fieldPath)}[${step.entry}]`;
      fieldPath = [];
    }
  }
  return join(text, fieldPath);
}

function join(text: string, path: FieldPath): string {
  if (path.length === 0) return text;
  const rest = formatPath(path);
  return text === '' || rest.startsWith('[') ? text + rest : `${text}.${rest}`;
}
