import { isDeepStrictEqual } from 'node:util';
import { isPlainObject, isWorkloadKind, metadataKeys, traitsOf } from '../../api';
import { workloadPart, type ArtifactResource, type WorkloadPart } from '../../artifact';
import { type LiveObject } from '../../client';
import { parseStoredManifest } from '../parse-stored-manifest';
import { writtenPart } from '../written-part';

type Fields = Readonly<Record<string, unknown>>;

/** Returns a workload with the fields of a part, and of the live object only what operators may change. */
export function verifiedSource(live: LiveObject, part: WorkloadPart): LiveObject {
  const { labels: _, annotations: present, ...metadata } = live.metadata;
  const { labels, annotations } = part.metadata as Pick<LiveObject['metadata'], 'labels' | 'annotations'>;
  const requested = [metadataKeys.restart, metadataKeys.retry].flatMap((key) =>
    present?.[key] === undefined ? [] : [[key, present[key]] as const],
  );
  return {
    ...live,
    apiVersion: part.apiVersion,
    metadata: {
      ...metadata,
      ...(labels && { labels }),
      annotations: { ...annotations, ...Object.fromEntries(requested) },
    },
    spec: specOfPart(live, part),
  };
}

/** Fields beside which a number of replicas is invalid: with it, a verified part could not be expanded any more. */
const ownScaling = ['autoscaling', 'variants'];

function specOfPart({ kind, spec }: LiveObject, part: WorkloadPart): unknown {
  const { replicas } = (spec ?? {}) as Fields;
  const verified = part['spec'] as Fields;
  const scales = isWorkloadKind(kind) && traitsOf(kind).scales && replicas !== undefined;
  return scales && !ownScaling.some((field) => verified[field] !== undefined) ? { ...verified, replicas } : verified;
}

/** Returns what a user wrote into a workload, without its proof and without what operators may change. */
export function writtenWorkload(live: LiveObject): WorkloadPart {
  const written = writtenPart(live) as ArtifactResource & { readonly metadata: { readonly annotations?: Fields } };
  const { annotations = {} } = written.metadata;
  const proofs: readonly string[] = [metadataKeys.proof, metadataKeys.authorization, metadataKeys.breakGlass];
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => !proofs.includes(key)));
  return workloadPart({ ...written, metadata: { ...written.metadata, annotations: kept } });
}

/** Returns the path of a field of the spec that differs from the verified one, after defaulting; undefined if none does. */
export function unprovenField(live: LiveObject, source: LiveObject): string | undefined {
  const [present, verified] = [live, source].map((object) => parseStoredManifest(object).manifest);
  // Problems are reported by the expansion of the verified part.
  return present && verified && firstDifference(present.spec, verified.spec, 'spec');
}

function firstDifference(one: unknown, other: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  if (Array.isArray(one) && Array.isArray(other))
    return firstMember([...one.keys(), ...other.keys()], (index) => [one[index], other[index], `${path}[${index}]`]);
  if (!isPlainObject(one) || !isPlainObject(other)) return path;
  return firstMember([...Object.keys(one), ...Object.keys(other)], (key) => [one[key], other[key], `${path}.${key}`]);
}

function firstMember<K>(keys: readonly K[], member: (key: K) => [unknown, unknown, string]): string | undefined {
  for (const key of keys) {
    const difference = firstDifference(...member(key));
    if (difference !== undefined) return difference;
  }
  return undefined;
}
