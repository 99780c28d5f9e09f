import { isDeepStrictEqual } from 'node:util';
import { crdOf, isPlainObject, type RunKind, type Workload } from '../../api';
import { shortHash } from '../../expand';

/** Fields of a spec that do not affect its work: changing one does not start another run. */
const nonWorkFields: ReadonlySet<string> = new Set([
  'suspend',
  'parallelism',
  'ttlAfterFinished',
  'activeDeadline',
  'links',
  'labels',
  'annotations',
  'team',
  'costCenter',
  'access',
  'adopt',
  'allowLoss',
  'claimRetention',
  'cleanPodPolicy',
  'gang',
]);

type Schema = Readonly<Record<string, unknown>>;

const schemas = new Map<string, Schema>();
const hashes = new WeakMap<object, string>();

/**
 * Hashes the work of a job set or a training job.
 *
 * Computed from the written spec alone, without defaults: neither another profile nor a newer library version with
 * more fields restarts a finished job.
 */
export function runHash(workload: Workload<RunKind>): string {
  let hash = hashes.get(workload.spec);
  if (hash === undefined) {
    hash = shortHash(JSON.stringify(sorted(workOf(workload))));
    hashes.set(workload.spec, hash);
  }
  return hash;
}

function workOf({ kind, spec }: Workload<RunKind>): unknown {
  const { failurePolicy, ...rest } = spec as Readonly<Record<string, unknown>>;
  // The number of restarts is read when the run fails; it does not change the work.
  const { maxRestarts: _, ...policy } = (failurePolicy ?? {}) as Readonly<Record<string, unknown>>;
  const work = Object.fromEntries(Object.entries(rest).filter(([field]) => !nonWorkFields.has(field)));
  return withoutDefaults({ ...work, failurePolicy: policy }, specSchema(kind));
}

function specSchema(kind: RunKind): Schema {
  let schema = schemas.get(kind);
  if (!schema) {
    const [version] = crdOf(kind).spec.versions;
    schema = fieldSchema(version?.schema?.openAPIV3Schema as Schema | undefined, 'spec') ?? {};
    schemas.set(kind, schema);
  }
  return schema;
}

const fieldSchema = (schema: Schema | undefined, field: string): Schema | undefined =>
  ((schema?.['properties'] as Readonly<Record<string, Schema>> | undefined)?.[field] ??
    schema?.['additionalProperties']) as Schema | undefined;

/** Returns a value without the defaults of its schema. */
function withoutDefaults(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDefaults(item, schema?.['items'] as Schema | undefined));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).flatMap(([field, fieldValue]) => {
    const schemaOfField = fieldSchema(schema, field);
    const rest = withoutDefaults(fieldValue, schemaOfField);
    const defaultValue = schemaOfField?.['default'];
    return rest === undefined ||
      (defaultValue !== undefined && isDeepStrictEqual(rest, withoutDefaults(defaultValue, schemaOfField)))
      ? []
      : [[field, rest]];
  });
  return Object.fromEntries(entries);
}

/** Returns a value with sorted keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
