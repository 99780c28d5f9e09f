import { isWorkloadKind, metadataKeys, traitsOf } from '../api';
import { type ArtifactContent, type ArtifactResource } from './artifact-content';
import { canonicalJson } from './canonical-json';
import { sha256 } from './digest';
import { leafHash, merkleRoot } from './merkle-tree';

type Fields = Readonly<Record<string, unknown>>;

/** What a digest of a part covers: the resource as published, without what operators may change. */
export interface WorkloadPart {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields;
  readonly [field: string]: unknown;
}

/**
 * Returns the part of a resource that its digest covers: without the number of replicas where the kind scales, and
 * without the annotations that request a restart, or a retry of hooks.
 */
export function workloadPart({ status: _, ...resource }: ArtifactResource): WorkloadPart {
  const { annotations, ...metadata } = resource.metadata as Fields & { readonly annotations?: Fields };
  const { [metadataKeys.restart]: __, [metadataKeys.retry]: ___, ...kept } = annotations ?? {};
  const part = {
    ...resource,
    metadata: { ...metadata, ...(Object.keys(kept).length > 0 && { annotations: kept }) },
  };
  return { ...part, ...('spec' in part && { spec: withoutReplicas(resource.kind, part['spec']) }) };
}

/** Returns a spec without its number of replicas where the kind scales. */
export function withoutReplicas(kind: string, spec: unknown): unknown {
  if (!isWorkloadKind(kind) || !traitsOf(kind).scales || typeof spec !== 'object' || spec === null) return spec;
  const { replicas: _, ...rest } = spec as Fields;
  return rest;
}

/** Returns the digest of a part: `sha256:` and 64 hexadecimal digits. */
export const partDigest = (part: WorkloadPart): string => `sha256:${sha256(canonicalJson(part))}`;

/** Workload of a stage, and the digest of its part: a leaf of the tree that publishers sign. */
export interface WorkloadLeaf {
  readonly stage: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly digest: string;
}

/** Returns the hash of a leaf. */
export const workloadLeafHash = ({ stage, kind, name, namespace, digest }: WorkloadLeaf): Buffer =>
  leafHash(Buffer.from(canonicalJson({ stage, kind, name, namespace, digest })));

/** Returns the leaf of a resource in a stage. */
export const workloadLeaf = (stage: string, resource: ArtifactResource): WorkloadLeaf => ({
  stage,
  kind: resource.kind,
  name: resource.metadata.name,
  namespace: resource.metadata.namespace,
  digest: partDigest(workloadPart(resource)),
});

/** Returns the leaves of a content: the workloads of all stages, in their order. */
export const workloadLeaves = ({ stages }: Pick<ArtifactContent, 'stages'>): WorkloadLeaf[] =>
  stages.flatMap(({ name, resources }) => resources.map((resource) => workloadLeaf(name, resource)));

/** Returns the digest of the workloads of a content: the root of the tree of their leaves. */
export const workloadsDigest = (content: Pick<ArtifactContent, 'stages'>): string =>
  `sha256:${merkleRoot(workloadLeaves(content).map(workloadLeafHash)).toString('hex')}`;
