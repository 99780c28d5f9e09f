import { safeParseManifest, group, metadataKeys, type Workload } from '../../../lib/api';
import {
  firstDifference,
  safeExpand,
  type KubernetesObject,
  resolvePlatform,
  type ProjectContext,
} from '../../../lib/expand';
import { writtenPart } from '../../../lib/controller/written-part';
import { type LiveObject } from '../../../lib/kube';
import { ownerOf, type ClusterSnapshot } from './cluster-snapshot';
import { keyOf } from './user';

type Fields = Readonly<Record<string, unknown>>;

interface JobSetSpec {
  readonly suspend?: boolean;
  readonly replicatedJobs?: readonly {
    readonly name: string;
    readonly replicas?: number;
    readonly dependsOn?: readonly { readonly name: string }[];
  }[];
}

/** Returns the objects that a stored workload expands to. */
export function expandedObjects(
  document: LiveObject,
  contextOf: (project: string) => ProjectContext,
): readonly KubernetesObject[] {
  const { manifest, problems } = safeParseManifest(writtenPart(document));
  if (!manifest) throw new Error(`${keyOf(document)}: ${JSON.stringify(problems)}`);
  const { objects, problems: more } = safeExpand(manifest as Workload, contextOf(document.metadata.namespace ?? ''));
  if (!objects) throw new Error(`${keyOf(document)}: ${JSON.stringify(more)}`);
  return objects;
}

/** Returns problems of workload objects: missing, different, orphaned or left over. */
export function checkObjects(snapshot: ClusterSnapshot): string[] {
  const cluster = resolvePlatform(snapshot.platform);
  const desired = new Set<string>();
  const problems: string[] = [];
  const live = new Map(snapshot.children.map((child) => [keyOfObject(child), child]));
  for (const document of snapshot.documents.values()) {
    for (const object of expandedObjects(document, (project) => cluster.project(project))) {
      const objectKey = keyOfObject({
        ...object,
        metadata: { namespace: document.metadata.namespace, ...object.metadata },
      });
      desired.add(objectKey);
      const child = live.get(objectKey);
      const problem = !child && waits(document, object, snapshot) ? undefined : problemOf(document, object, child);
      if (problem !== undefined) problems.push(`${keyOf(document)}: ${objectKey} ${problem}`);
    }
  }
  return [...problems, ...snapshot.children.flatMap((child) => leftoverProblem(child, desired, snapshot))];
}

const keyOfObject = ({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** Returns the problem of one object. */
function problemOf(document: LiveObject, object: KubernetesObject, live: LiveObject | undefined): string | undefined {
  const isFinished = isFinishedJob(document);
  if (object.kind === 'Job' && keepsEarlierJobs(document)) return undefined;
  // A finished workload does not recreate objects.
  if (!live) return isFinished ? undefined : 'is missing';
  if (live.metadata.deletionTimestamp !== undefined) return 'is being deleted';
  const owners = (live.metadata.ownerReferences ?? []).filter(({ apiVersion }) => apiVersion.startsWith(`${group}/`));
  if (owners.length !== 1 || owners[0]?.uid !== document.metadata.uid || owners[0].controller !== true)
    return `is owned by ${JSON.stringify(live.metadata.ownerReferences)}`;
  // A finished Job is not changed.
  if (object.kind === 'Job' && isFinishedJob(live)) return undefined;
  const difference = firstDifference(object.kind === 'Job' ? withoutRunFields(object) : object, live);
  return difference === undefined ? undefined : `differs at ${difference}`;
}

/** Returns whether a run has the Jobs of an earlier spec: it was changed while it was running, and is suspended. */
function keepsEarlierJobs(document: LiveObject): boolean {
  const { suspend } = document['spec'] as Fields;
  const { cause } = (document['status'] ?? {}) as { readonly cause?: { readonly reason: string } };
  return suspend === true && cause?.reason === 'DestructiveChangeBlocked';
}

/** Returns whether a Job of a suspended job set must not exist yet, because a job that it waits for has not succeeded. */
function waits(
  { spec, metadata }: LiveObject,
  { kind, metadata: own }: KubernetesObject,
  { children }: ClusterSnapshot,
) {
  const { suspend, replicatedJobs = [] } = spec as JobSetSpec;
  const { dependsOn = [] } = replicatedJobs.find(({ name }) => name === own.labels?.[metadataKeys.job]) ?? {};
  if (kind !== 'Job' || suspend !== true) return false;
  return dependsOn.some((dependency) => {
    const { replicas = 1 } = replicatedJobs.find(({ name }) => name === dependency.name) ?? {};
    const succeeded = children.filter(
      (child) =>
        ownerOf(child)?.uid === metadata.uid &&
        child.metadata.labels?.[metadataKeys.job] === dependency.name &&
        conditionsOf(child).some(({ type, status }) => type === 'Complete' && status === 'True'),
    );
    return succeeded.length < replicas;
  });
}

/** Returns a Job without the fields that the run plan decides. */
function withoutRunFields(job: KubernetesObject): KubernetesObject {
  const { suspend: _, ttlSecondsAfterFinished: __, ...spec } = job['spec'] as Fields;
  return { ...job, spec };
}

/** Returns whether a job set, a training job or a Job has finished. */
export const isFinishedJob = (document: LiveObject): boolean =>
  conditionsOf(document).some(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');

/** Returns the conditions of a resource. */
export const conditionsOf = (document: LiveObject) =>
  ((document['status'] as Fields | undefined)?.['conditions'] ?? []) as readonly {
    readonly type: string;
    readonly status: string;
    readonly message: string;
  }[];

/** Returns the problem of an owned object that is not desired or whose owner is gone. */
function leftoverProblem(child: LiveObject, desired: ReadonlySet<string>, snapshot: ClusterSnapshot): string[] {
  const owner = ownerOf(child);
  const isOwnedByPinion = owner?.apiVersion.startsWith(`${group}/`) === true && owner.kind !== 'Project';
  const isLabeled = child.metadata.labels?.[`${group}/workload`] !== undefined && owner === undefined;
  if (isLabeled && child.kind !== 'PersistentVolumeClaim') return [`${keyOfObject(child)} is an orphan`];
  if (!isOwnedByPinion) return [];
  if (!snapshot.documents.has(owner.uid))
    return [`${keyOfObject(child)} was left behind by ${owner.kind} ${owner.name}`];
  if (desired.has(keyOfObject(child)) || isReferenced(child, snapshot)) return [];
  return [`${keyOfObject(child)} of ${owner.kind} ${owner.name} is not desired`];
}

/** Returns whether a revision that a rollback can use references a ConfigMap. */
const isReferenced = ({ kind, metadata }: LiveObject, { histories, children }: ClusterSnapshot): boolean =>
  kind === 'ConfigMap' &&
  [...histories, ...children.filter((child) => child.kind === 'Job')].some(
    (object) => object.metadata.namespace === metadata.namespace && JSON.stringify(object).includes(metadata.name),
  );
