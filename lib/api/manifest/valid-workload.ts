import { isWorkloadKind } from '../kinds/workload-kinds';
import { isPlainObject } from '../values/plain-object';
import { parseValidFields } from '../schema/parse-valid-fields';
import { schemaOf } from '../schemas';
import { type Workload } from './parse-manifest';

/** Returns an invalid workload with its valid fields only, and their defaults; undefined if its kind, name or project is not known. */
export function validFieldsOfWorkload(input: unknown): Workload | undefined {
  if (!isPlainObject(input) || !isWorkloadKind(input['kind']) || !isPlainObject(input['metadata'])) return undefined;
  const { kind, metadata } = input;
  if (typeof metadata['name'] !== 'string' || typeof metadata['namespace'] !== 'string') return undefined;
  const spec = parseValidFields(schemaOf(kind), input['spec'] ?? {});
  return isPlainObject(spec) ? ({ kind, metadata, spec } as unknown as Workload) : undefined;
}
