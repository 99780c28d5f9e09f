import { resolvePlatform } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { conditionsOf, expandedObjects, isFinishedJob } from './check-objects';
import { manifestOf, type WorkloadManifest } from './random-workloads';
import { ownerOf, type ClusterSnapshot } from './cluster-snapshot';
import { keyOf, type WorkloadHistory, type User } from './user';

type Fields = Readonly<Record<string, unknown>>;

/** Returns problems of workloads: lost updates, missing or undeleted workloads, and stale status. */
export function checkWorkloads(snapshot: ClusterSnapshot, user: User): string[] {
  const stored = new Map([...snapshot.documents.values()].map((document) => [keyOf(document), document]));
  const problems: string[] = [];
  for (const key of user.gone.keys()) if (stored.has(key)) problems.push(`${key} was deleted but still exists`);
  for (const [key, document] of stored)
    if (!user.workloads.has(key)) problems.push(`${key} was never applied: ${document.metadata.uid}`);
  for (const [key, { workload }] of user.workloads) {
    const document = stored.get(key);
    if (!document) problems.push(`${key} was applied but does not exist`);
    else
      problems.push(
        ...[lostUpdate(workload, document), ...staleProblems(document, snapshot)].flatMap((what) =>
          what ? [`${key} ${what}`] : [],
        ),
      );
  }
  return problems;
}

const lostUpdate = ({ spec }: WorkloadManifest, document: LiveObject): string | undefined =>
  contains(document['spec'], spec)
    ? undefined
    : `has lost an update: ${JSON.stringify(spec)} became ${JSON.stringify(document['spec'])}`;

/** Returns whether a stored value contains a desired one; the server adds defaults. */
function contains(stored: unknown, desired: unknown): boolean {
  if (typeof desired !== 'object' || desired === null) return stored === desired;
  if (typeof stored !== 'object' || stored === null) return false;
  return Object.entries(desired).every(([key, value]) => contains((stored as Fields)[key], value));
}

function staleProblems(document: LiveObject, snapshot: ClusterSnapshot): string[] {
  const status = (document['status'] ?? {}) as Fields;
  if (status['observedGeneration'] !== document.metadata.generation)
    return [`has generation ${document.metadata.generation}, its status has ${String(status['observedGeneration'])}`];
  if (isJob(document)) {
    const isSuspended = (document['spec'] as Fields)['suspend'] === true;
    return isSuspended || isFinishedJob(document)
      ? []
      : [`has not finished: ${JSON.stringify(conditionsOf(document))}; ${stateOfPods(document, snapshot)}`];
  }
  const isReady = conditionsOf(document).some(({ type, status: value }) => type === 'Ready' && value === 'True');
  return isReady
    ? []
    : [
        `is not Ready: ${JSON.stringify({ conditions: conditionsOf(document), cause: status['cause'] })}; ${stateOfPods(document, snapshot)}`,
      ];
}

/** Returns the state of a workload's pods, which tells whether kube-scheduler, kwok or the controller is behind. */
function stateOfPods({ kind, metadata: { name } }: LiveObject, { pods }: ClusterSnapshot): string {
  const states = pods
    .filter(({ metadata: { labels = {} } }) => isOf(kind, name, labels))
    .map(({ metadata, spec, status }) => {
      const { nodeName = 'no node' } = (spec ?? {}) as { readonly nodeName?: string };
      const { phase, conditions } = (status ?? {}) as { readonly phase?: string; readonly conditions?: unknown };
      const { finalizers = [], deletionTimestamp, creationTimestamp } = metadata;
      const times = [creationTimestamp, ...(deletionTimestamp === undefined ? [] : [`deleted ${deletionTimestamp}`])];
      return [metadata.name, phase, nodeName, ...times, ...finalizers, JSON.stringify(conditions)].join(' ');
    });
  return states.length === 0 ? 'no pods' : `pods: ${states.join(' | ')}`;
}

const isOf = (kind: string, name: string, labels: Readonly<Record<string, string>>): boolean =>
  labels['pinterest.com/kind'] === kind && labels['pinterest.com/workload'] === name;

const isJob = ({ kind }: LiveObject): boolean => kind === 'PinterestJobSet' || kind === 'PinterestTrainingJob';

/** Pods of untouched workloads and their owners, by workload. */
export type UntouchedPods = ReadonlyMap<string, readonly string[]>;

/** Returns the pods of untouched workloads and their owners. */
export function untouchedPods(snapshot: ClusterSnapshot, user: User): UntouchedPods {
  return new Map(
    [...user.workloads]
      .filter(([, { isUntouched }]) => isUntouched)
      .map(([key, { workload }]) => [key, describePods(workload, snapshot)]),
  );
}

/** Returns untouched workloads whose pods or their owners were recreated. */
export function checkUntouchedPods(before: UntouchedPods, snapshot: ClusterSnapshot, user: User): string[] {
  const after = untouchedPods(snapshot, user);
  return [...before].flatMap(([key, earlier]) => {
    const later = after.get(key) ?? [];
    const same = JSON.stringify(earlier) === JSON.stringify(later);
    return same ? [] : [`${key} had ${earlier.join(', ')} and has ${later.join(', ')}`];
  });
}

function describePods({ kind, metadata }: WorkloadManifest, { pods, histories, children }: ClusterSnapshot): string[] {
  const jobs = children.filter((child) => child.kind === 'Job');
  return [...pods, ...histories, ...jobs]
    .filter(({ metadata: { labels = {} } }) => isOf(kind, metadata.name, labels))
    .map((object) => `${object.kind} ${object.metadata.name} ${object.metadata.uid}`)
    .sort();
}

/** Returns Deployments with more ReplicaSets than pod templates that were applied. */
export function checkReplicaSets(snapshot: ClusterSnapshot, user: User, foreignEdits: number): string[] {
  const cluster = resolvePlatform(snapshot.platform);
  return [...snapshot.documents.values()].flatMap((document) => {
    const history = user.workloads.get(keyOf(document));
    if (document.kind !== 'PinterestService' || !history) return [];
    const templates = new Set(templatesOf(history, document, (project) => cluster.project(project)));
    const deployments = snapshot.children.filter(
      (child) => ownerOf(child)?.uid === document.metadata.uid && child.kind === 'Deployment',
    );
    return deployments.flatMap(({ metadata: { uid } }) => {
      const sets = snapshot.histories.filter((history) => ownerOf(history)?.uid === uid);
      const max = templates.size + foreignEdits;
      return sets.length <= max ? [] : [`${keyOf(document)} has ${sets.length} ReplicaSets for ${max} templates`];
    });
  });
}

const templatesOf = (
  { history }: WorkloadHistory,
  document: LiveObject,
  contextOf: Parameters<typeof expandedObjects>[1],
): string[] =>
  history.flatMap((workload) =>
    expandedObjects({ ...document, ...(manifestOf(workload) as unknown as LiveObject) }, contextOf)
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => JSON.stringify((spec as Fields)['template'])),
  );
