import {
  isPlatformKind,
  isWorkloadKind,
  conditionOf,
  valueAt,
  safeParseManifest,
  type PlatformManifest,
  type Problem,
  ProblemsError,
  type Status,
} from '../api';
import {
  nodeOf,
  resolvePlatform,
  revisionStateOf,
  storedRevisionsOf,
  type RevisionState,
  type SomeObject,
} from '../expand';
import { childKeyOf } from './child-differences';
import { type ClusterSnapshot, type SnapshotDefinition, type SnapshotObject } from './cluster-snapshot';
import { nodeFreeCapacity, type NodeFreeCapacity } from './node-surge';
import { workloadKeyOf, type ImpactDocument, type ImpactSide } from './impact-side';

/** Manifests to be applied to a cluster. */
export interface AppliedManifests {
  readonly label: string;
  readonly platform: readonly PlatformManifest[];
  readonly workloads: readonly ImpactDocument[];
  /** Definitions of pinion. @default - those of the cluster stay */
  readonly definitions?: readonly SnapshotDefinition[];
  /** What could not be read, one line each. @default - nothing */
  readonly unread?: readonly string[];
}

/**
 * Returns a cluster as it is and as it will be once manifests are applied; what they do not name stays. Throws a
 * `ProblemsError` if the Platform of a side is missing or invalid.
 */
export function snapshotSides(
  snapshot: ClusterSnapshot,
  applied: AppliedManifests,
): { readonly before: ImpactSide; readonly after: ImpactSide } {
  const live = snapshot.resources.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const unread = [...snapshot.unread];
  const stored = live.filter(({ kind }) => isPlatformKind(kind)).flatMap((object) => manifestOf(object, unread));
  if (!stored.some(({ kind }) => kind === 'Platform')) throw new ProblemsError([noPlatform]);
  const runtime = runtimeStatusOf(live);
  const revisions = revisionsOf(stored, live);
  const replaced = new Set(applied.platform.map(platformKey));
  const target = [...stored.filter((manifest) => !replaced.has(platformKey(manifest))), ...applied.platform];
  const workloads = live.filter(({ kind }) => isWorkloadKind(kind));
  const children = snapshot.children && new Map(snapshot.children.map((child) => [childKeyOf(child), child]));
  const quotas = snapshot.quotas && new Map(Object.entries(snapshot.quotas));
  const freeCapacity = freeCapacities(snapshot);
  const side = (label: string, manifests: readonly PlatformManifest[]): Omit<ImpactSide, 'workloads'> => ({
    label,
    cluster: resolvePlatform(manifests),
    projects: manifests.filter(({ kind }) => kind === 'Project').map(({ metadata }) => metadata.name),
  });
  return {
    before: {
      ...side(`cluster ${snapshot.name}`, stored),
      ...(runtime && { runtime }),
      ...(revisions && { revisions }),
      nodes: snapshot.nodes.length,
      time: snapshot.taken,
      workloads,
      ...(children && { children }),
      ...(freeCapacity && { freeCapacity }),
      ...(snapshot.definitions && { definitions: snapshot.definitions }),
      unread,
      ...(quotas && { quotas }),
    },
    after: {
      ...side(applied.label, target),
      workloads: overlaid(workloads, applied.workloads),
      ...(applied.definitions && { definitions: applied.definitions }),
      unread: applied.unread ?? [],
    },
  };
}

/** Returns the nodes that take pods; undefined if they or their pods could not be read. */
function freeCapacities({ nodes, requested }: ClusterSnapshot): readonly NodeFreeCapacity[] | undefined {
  if (!requested || nodes.length === 0) return undefined;
  return nodes
    .filter(
      (node) =>
        valueAt(node, ['spec', 'unschedulable']) !== true && conditionOf(node.status, 'Ready')?.status === 'True',
    )
    .map((node) => nodeFreeCapacity(nodeOf(node as unknown as SomeObject), requested[node.metadata.name] ?? {}));
}

const platformKey = ({ kind, metadata }: PlatformManifest): string => `${kind} ${metadata.name}`;

/** Returns the runtime profiles that the Platform of a cluster has recorded. */
const runtimeStatusOf = (live: readonly SnapshotObject[]): Status<'Platform'>['runtime'] =>
  (live.find(({ kind }) => kind === 'Platform')?.status as Status<'Platform'> | undefined)?.runtime;

/** Returns the revisions that the workloads of a cluster follow. */
function revisionsOf(stored: readonly PlatformManifest[], live: readonly SnapshotObject[]): RevisionState | undefined {
  const platform = stored.find((one): one is PlatformManifest<'Platform'> => one.kind === 'Platform');
  const ofKind = (kind: string): readonly SnapshotObject[] => live.filter((object) => object.kind === kind);
  const revisions = storedRevisionsOf(ofKind('PlatformRevision'));
  return (
    platform &&
    revisionStateOf(platform, ofKind('Platform')[0]?.status, {
      ...{ revisions, rollouts: ofKind('PlatformRollout'), projects: ofKind('Project') },
    })
  );
}

/** Returns a stored manifest; one that current rules reject is listed as unread. */
function manifestOf({ apiVersion, kind, metadata, spec }: SnapshotObject, unread: string[]): PlatformManifest[] {
  const { name, labels, annotations } = metadata;
  const written = { name, ...(labels && { labels }), ...(annotations && { annotations }) };
  const { manifest, problems } = safeParseManifest({ apiVersion, kind, metadata: written, spec });
  if (manifest) return [manifest as PlatformManifest];
  const [first] = problems;
  unread.push(`${kind} ${name} of the cluster is rejected by this version: ${first?.reason ?? 'it is invalid'}`);
  return [];
}

/** Returns the workloads of a cluster after others are applied. */
function overlaid(live: readonly ImpactDocument[], applied: readonly ImpactDocument[]): readonly ImpactDocument[] {
  const all = new Map(live.map((document) => [workloadKeyOf(document), document]));
  for (const document of applied) {
    const key = workloadKeyOf(document);
    const stored = all.get(key);
    const uid = stored?.metadata.uid;
    all.set(key, {
      ...document,
      metadata: { ...document.metadata, ...(uid !== undefined && { uid }) },
      status: stored?.status,
    });
  }
  return [...all.values()];
}

const noPlatform: Problem = {
  code: 'unknown-reference',
  path: [],
  reason: 'is missing in the cluster, or rejected by this version',
  remedy: 'apply a Platform named cluster, or correct it',
  object: 'Platform cluster',
};
