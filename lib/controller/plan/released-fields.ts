import { isPlainObject, manager } from '../../api';
import { type LiveObject, type ManagedFields } from '../../kube';
import { isOurEntry } from '../observed/child-of';

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
  const theirs = entries.filter((entry) => !isOurEntry(entry) && hasDeployed(kind, entry));
  if (theirs.length === 0) return undefined;
  const ours = entries.filter(isOurEntry);
  const merged = [...ours, ...theirs].map((entry) => entry.fieldsV1 ?? {}).reduce(union);
  const { apiVersion } = (ours[0] ?? theirs[0]) as ManagedFields & { readonly apiVersion?: string };
  const entry = {
    manager,
    operation: 'Apply' as const,
    ...(apiVersion !== undefined && { apiVersion }),
    fieldsType: 'FieldsV1',
    fieldsV1: merged,
  };
  return [...entries.filter((other) => !ours.includes(other) && !theirs.includes(other)), entry];
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

function union(one: Fields, other: Fields): Fields {
  const both: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = both[key];
    both[key] = isPlainObject(before) && isPlainObject(value) ? union(before, value) : (before ?? value);
  }
  return both;
}
