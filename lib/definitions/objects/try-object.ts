import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../api';
import { schemaOfVersion, storageVersion, type CustomResourceDefinition, type DefinitionVersion } from '../definition';
import { childPath, type SchemaNode } from '../schema/schema-node';
import { applyDefaults } from './apply-defaults';
import { fieldEdits, scaleWrite, type TriedWrite, type TrialStep } from './object-edits';
import { dropNulls, pruneUnknownFields } from './prune-unknown-fields';
import { validationErrors, type ValidationError } from './validate-object';

/** An object as it is stored: of a list, or of a dump of a backup. */
export type StoredObject = Readonly<Record<string, unknown>>;

/** A write that the former definition accepts and the new one rejects. */
export interface RejectedWrite {
  readonly step: TrialStep;
  /** Field that the write changes; absent if it changes nothing. */
  readonly field?: string;
  /** Path of the value that is rejected. */
  readonly path: string;
  readonly reason: string;
}

/** What a new definition does to one stored object. */
export interface ObjectTrial {
  /** `Kind namespace/name`. */
  readonly object: string;
  /** Version in which it is read and written. */
  readonly version: string;
  /** Fields that are no longer read. */
  readonly lost: readonly string[];
  /** Fields that are read with another value, such as a new default. */
  readonly changed: readonly string[];
  readonly rejected: readonly RejectedWrite[];
  /** What pinion cannot evaluate, so that the server may decide otherwise. */
  readonly unknown: readonly string[];
}

/** Returns `Kind namespace/name` of an object. */
export function objectText({ kind, metadata }: StoredObject): string {
  const { namespace, name } = (metadata ?? {}) as { readonly namespace?: string; readonly name?: string };
  return `${String(kind)} ${namespace === undefined ? '' : `${namespace}/`}${name ?? '(without a name)'}`;
}

/**
 * Reads and writes one stored object by the former and by the new definition, and returns what differs: a read, a write
 * without a change, scaling, a write of the status, and a change of each field.
 *
 * Unchanged values are not rejected again, as the API server does since Kubernetes 1.33.
 */
export function tryObject(
  stored: StoredObject,
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): ObjectTrial | undefined {
  const versions = versionsFor(stored, before, after);
  if (!versions) return undefined;
  const [former, next] = versions.map((version) => new Handler(version)) as [Handler, Handler];
  const [readBefore, readAfter] = [former.read(stored), next.read(stored)];
  const changes = readChanges(readBefore, readAfter);
  const unknown = new Set<string>();
  const rejected: RejectedWrite[] = [];
  const known = new Set(next.errorsOf(readAfter).map(errorKey));
  for (const { write, errors } of triedWrites(former, next, readBefore, readAfter)) {
    for (const { path, reason, isUnknown } of errors) if (isUnknown === true) unknown.add(`${path}: ${reason}`);
    const { step, field } = write;
    // The tried value itself may be invalid; only what is stored, or the change as such, counts.
    const counted = errors.filter(
      (error) =>
        error.isUnknown !== true && (error.path !== field || error.isTransition === true || known.has(errorKey(error))),
    );
    for (const { path, reason } of counted)
      rejected.push({ step, ...(field !== undefined && { field }), path, reason });
  }
  return { object: objectText(stored), version: versions[1].name, ...changes, rejected, unknown: [...unknown] };
}

const errorKey = ({ path, reason }: ValidationError): string => `${path}: ${reason}`;

/** A write that the former definition accepts, and why the new one rejects it; empty if it accepts it. */
interface WriteAttempt {
  readonly write: TriedWrite;
  readonly errors: readonly ValidationError[];
}

/** Returns the writes that are tried with an object, each with the reasons why the new definition rejects it. */
function* triedWrites(
  former: Handler,
  next: Handler,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Generator<WriteAttempt> {
  for (const candidates of writesOf(before, former.version, next.version)) {
    const accepted = candidates.filter((one) => former.errors(before, one).length === 0);
    const attempts = accepted.map((write) => ({ write, errors: next.errors(after, write) }));
    const attempt = attempts.find(({ errors }) => errors.length === 0) ?? attempts[0];
    if (attempt) yield attempt;
  }
}

/** Returns the writes that `tryObject` tries with an object, for a trial on an API server. */
export function writeAttempts(
  stored: StoredObject,
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): readonly WriteAttempt[] {
  const versions = versionsFor(stored, before, after);
  if (!versions) return [];
  const [former, next] = versions.map((version) => new Handler(version)) as [Handler, Handler];
  return [...triedWrites(former, next, former.read(stored), next.read(stored))];
}

/** Returns whether an object is one of a definition. */
export const isObjectOf = ({ apiVersion, kind }: StoredObject, { spec }: CustomResourceDefinition): boolean =>
  String(apiVersion).split('/')[0] === spec.group && kind === spec.names.kind;

function versionsFor(
  stored: StoredObject,
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): readonly [DefinitionVersion, DefinitionVersion] | undefined {
  if (!isObjectOf(stored, before)) return undefined;
  const [, name] = String(stored['apiVersion']).split('/');
  const find = ({ spec }: CustomResourceDefinition): DefinitionVersion | undefined =>
    spec.versions.find((version) => version.name === name && version.served);
  const former = find(before) ?? storageVersion(before);
  const next =
    (former && after.spec.versions.find((version) => version.name === former.name && version.served)) ??
    storageVersion(after);
  return former && next ? [former, next] : undefined;
}

/** Writes of an object, several candidates for each. */
function writesOf(
  object: Record<string, unknown>,
  before: DefinitionVersion,
  after: DefinitionVersion,
): TriedWrite[][] {
  const unchanged: TriedWrite['apply'] = (current) => current;
  const hasStatus = before.subresources?.status !== undefined && after.subresources?.status !== undefined;
  const scales = after.subresources?.scale === undefined ? [] : scaleWrite(before.subresources?.scale);
  return [
    [{ step: 'update', apply: unchanged }],
    ...(hasStatus && object['status'] !== undefined ? [[{ step: 'status', apply: unchanged } as const]] : []),
    ...(scales.length > 0 ? [scales] : []),
    ...fieldEdits(object),
  ];
}

/** What the API server does with objects in one version. */
class Handler {
  readonly #schema: SchemaNode;

  constructor(readonly version: DefinitionVersion) {
    this.#schema = schemaOfVersion(version);
  }

  /** Returns an object as it is read, and as it is decoded from a request. */
  read(object: StoredObject): Record<string, unknown> {
    const { apiVersion, kind, metadata } = object;
    const kept = dropNulls(pruneUnknownFields(object, this.#schema, true).value, this.#schema);
    const value = applyDefaults(kept, this.#schema).value as Record<string, unknown>;
    return { ...value, apiVersion, kind, metadata };
  }

  /** Why a whole object is rejected, as if it were new. */
  errorsOf(object: Record<string, unknown>): ValidationError[] {
    return validationErrors(this.#schema, object);
  }

  errors(stored: Record<string, unknown>, write: TriedWrite): ValidationError[] {
    return validationErrors(this.#schema, this.read(write.apply(stored)), { value: stored });
  }
}

/** Returns the fields that are lost and changed between two reads of an object; metadata is left to the API server. */
export function readChanges(
  { metadata: _, ...from }: StoredObject,
  { metadata: _metadata, ...to }: StoredObject,
): Pick<ObjectTrial, 'lost' | 'changed'> {
  const changes: { lost: string[]; changed: string[] } = { lost: [], changed: [] };
  compareValues(from, to, '', changes);
  return changes;
}

function compareValues(from: unknown, to: unknown, path: string, found: { lost: string[]; changed: string[] }): void {
  if (isDeepStrictEqual(from, to)) return;
  if (isPlainObject(from) && isPlainObject(to)) {
    for (const [field, value] of Object.entries(from))
      if (Object.hasOwn(to, field)) compareValues(value, to[field], childPath(path, field), found);
      else found.lost.push(childPath(path, field));
    for (const field of Object.keys(to)) if (!Object.hasOwn(from, field)) found.changed.push(childPath(path, field));
  } else if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    for (const [index, item] of from.entries()) compareValues(item, to[index], `${path}[${index}]`, found);
  else found.changed.push(path);
}
