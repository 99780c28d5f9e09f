import { isPlainObject, manager } from '../../api';
import { type LiveObject, type ManagedFields } from '../../client';
import { isPinionEntry } from '../observed/child-of';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the managed fields of an adopted object, with those of its native deployers transferred to pinion, so that
 * fields that pinion does not apply are removed. Undefined if it has no other deployer.
 *
 * A deployer is recognized by fields that only deployers set; autoscalers, meshes and manual annotations keep their
 * fields.
 */
export function releasedFields({ kind, metadata }: LiveObject): readonly ManagedFields[] | undefined {
  const entries = metadata.managedFields ?? [];
  const deployerEntries = entries.filter((entry) => !isPinionEntry(entry) && hasDeployed(kind, entry));
  if (deployerEntries.length === 0) return undefined;
  const pinionEntries = entries.filter(isPinionEntry);
  const merged = [...pinionEntries, ...deployerEntries].map((entry) => entry.fieldsV1 ?? {}).reduce(union);
  const { apiVersion } = (pinionEntries[0] ?? deployerEntries[0]) as ManagedFields & { readonly apiVersion?: string };
  const entry = {
    manager,
    operation: 'Apply' as const,
    ...(apiVersion !== undefined && { apiVersion }),
    fieldsType: 'FieldsV1',
    fieldsV1: merged,
  };
  return [...entries.filter((other) => !pinionEntries.includes(other) && !deployerEntries.includes(other)), entry];
}

/** Spec fields that only the creator of an object sets. */
const creatorFields = [
  'f:selector',
  'f:schedule',
  'f:template',
  'f:ports',
  'f:scaleTargetRef',
  'f:rules',
  'f:accessModes',
];

function hasDeployed(kind: string, { subresource, fieldsV1 = {} }: ManagedFields): boolean {
  if (subresource !== undefined) return false;
  const spec = fieldsV1['f:spec'];
  if (isPlainObject(spec)) {
    if (kind === 'Deployment' || kind === 'StatefulSet' || kind === 'DaemonSet')
      return spec['f:selector'] !== undefined;
    return creatorFields.some((field) => spec[field] !== undefined);
  }
  return Object.keys(fieldsV1).some((field) => field !== 'f:metadata' && field !== 'f:status' && field !== 'f:spec');
}

function union(base: Fields, added: Fields): Fields {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(added)) {
    const before = result[key];
    result[key] = isPlainObject(before) && isPlainObject(value) ? union(before, value) : (before ?? value);
  }
  return result;
}
