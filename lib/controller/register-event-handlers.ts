import { isDeepStrictEqual } from 'node:util';
import {
  canaryReport,
  isPlatformKind,
  isWorkloadKind,
  metadataKeys,
  pinionKinds,
  type PlatformKind,
  valueAt,
} from '../api';
import { isProtectedProject, isRolloutEnded, schedulesGangs } from '../expand';
import { type LiveObject, type WorkQueue } from '../client';
import { type Child } from './observed/child';
import { type PlatformCache } from './platform-cache';
import { type ApiServerWriter } from './api-server-writer';
import { type GangReservations } from './run/gang-reservations';
import { type InformerStores } from './observed/informer-stores';
import { type InstalledPolicies } from './verification/installed-policies';
import { type WorkloadVerifier } from './verification/workload-verifier';
import { type RejectionTimes } from './rollout/rejection-times';
import { type RevisionEffects } from './rollout/revision-effects';
import { type Expansions } from './workload-expansion';
import { type ReconcileCache } from './reconcile-cache';
import { hasSameCapacity } from './observed/node-facts';
import { type CreationFailure, type PodFacts } from './observed/pod-facts';
import { type RolloutSpec, type RolloutStatus } from './rollout/rollout-workload';
import { workKey } from './work-key';

/** Dependencies of the event handlers. */
export interface EventHandlerDeps {
  readonly stores: InformerStores;
  readonly queue: Pick<WorkQueue, 'add' | 'addAfter'>;
  readonly cache: ReconcileCache;
  readonly platformCache: PlatformCache;
  readonly writer: ApiServerWriter;
  readonly expansions: Expansions;
  readonly effects: RevisionEffects;
  readonly rejections: RejectionTimes;
  readonly verifier: WorkloadVerifier;
  readonly policies: InstalledPolicies;
  readonly gangs: GangReservations;
}

/** Milliseconds until counts in the status of platform resources are updated: many workloads change together. */
const countsDelay = 1000;
/** Milliseconds from a release of capacity until gangs that wait for it are reconciled. */
const capacityDelay = 500;

/** Maps every change in the cluster to the keys of the affected resources. */
export function registerEventHandlers(deps: EventHandlerDeps): void {
  const { stores } = deps;
  for (const [kind, informer] of stores.informers.resources) {
    if (isWorkloadKind(kind)) informer.addEventHandler(workloadHandler(deps));
    else if (kind === 'PlatformRollout') informer.addEventHandler(rolloutHandler(deps));
    else informer.addEventHandler(platformHandler(kind as PlatformKind, deps));
  }
  for (const informer of stores.informers.children.values()) informer.addEventHandler(childHandler(deps));
  stores.informers.pods.addEventHandler({
    onAdd: (pod) => podChanged(pod, deps),
    onUpdate: (before, pod) => {
      podChanged(pod, deps);
      if (before.workload?.label !== pod.workload?.label) podChanged(before, deps);
      if (hasEnded(pod) && !hasEnded(before)) requeueWaitingGangs(deps);
    },
    onDelete: (pod) => {
      podChanged(pod, deps);
      requeueWaitingGangs(deps);
    },
  });
  stores.informers.nodes.addEventHandler({
    onAdd: () => requeueWaitingGangs(deps),
    onUpdate: (before, node) => hasSameCapacity(before, node) || requeueWaitingGangs(deps),
  });
  stores.informers.failures.addEventHandler({
    onAdd: (failure) => creationFailed(failure, deps),
    onUpdate: (_, failure) => creationFailed(failure, deps),
  });
}

function enqueue({ kind, metadata }: LiveObject, { queue }: EventHandlerDeps): void {
  queue.add(workKey(kind, metadata.namespace, metadata.name));
  // Resources that the Platform creates for itself are children too.
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner && isPlatformKind(owner.kind)) queue.add(workKey(owner.kind, '', owner.name));
}

function workloadHandler(deps: EventHandlerDeps) {
  const requeueCounts = (resource: LiveObject) => {
    deps.queue.addAfter(workKey('Project', '', resource.metadata.namespace ?? ''), countsDelay);
    deps.queue.addAfter(workKey('Platform', '', 'cluster'), countsDelay);
    const profile = profileOf(resource);
    if (profile !== undefined) deps.queue.addAfter(workKey('RuntimeProfile', '', profile), countsDelay);
  };
  return {
    onAdd: (resource: LiveObject) => {
      enqueue(resource, deps);
      requeueRollouts(deps, resource.metadata.namespace);
      requeueCounts(resource);
    },
    onUpdate: (before: LiveObject, resource: LiveObject) => {
      enqueue(resource, deps);
      requeueRollouts(deps, resource.metadata.namespace);
      if (profileOf(before) === profileOf(resource)) return;
      requeueCounts(before);
      requeueCounts(resource);
    },
    onDelete: (resource: LiveObject) => {
      enqueue(resource, deps);
      deps.writer.forget(resource.metadata.uid);
      deps.expansions.forget(resource.metadata.uid);
      deps.effects.forget(resource.metadata.uid);
      deps.rejections.forget(resource.metadata.uid);
      deps.verifier.forget(resource.metadata.uid);
      requeueCounts(resource);
    },
  };
}

/** Milliseconds until rollouts look at changed workloads: many change together. */
const rolloutDelay = 500;

/** Requeues the rollouts in progress; with a project, those of the Platform and of that project. */
function requeueRollouts({ stores, queue }: Pick<EventHandlerDeps, 'stores' | 'queue'>, project?: string): void {
  const isAffected = (of: string | undefined): boolean => of === undefined || project === undefined || of === project;
  for (const { metadata, spec, status } of stores.resources('PlatformRollout'))
    if (!isRolloutEnded(status as RolloutStatus | undefined) && isAffected((spec as Partial<RolloutSpec>).project))
      queue.addAfter(workKey('PlatformRollout', '', metadata.name), rolloutDelay);
}

/** Returns the key of what a rollout was created for. */
const ownerKeyOf = (project: string | undefined): ReturnType<typeof workKey> =>
  project === undefined ? workKey('Platform', '', 'cluster') : workKey('Project', '', project);

const transitOf = (rollout: LiveObject | undefined) =>
  (rollout?.['status'] as RolloutStatus | undefined)?.transit ?? [];

/** Maps changes of a rollout to the workloads that it releases, the Platform or the Project, and the rollout that it rolls back. */
function rolloutHandler(deps: EventHandlerDeps) {
  const { queue, stores } = deps;
  const changed = (before: LiveObject | undefined, rollout: LiveObject) => {
    enqueue(rollout, deps);
    const { rollbackOf, project } = (rollout['spec'] ?? {}) as Partial<RolloutSpec>;
    queue.add(ownerKeyOf(project));
    if (rollbackOf !== undefined) queue.add(workKey('PlatformRollout', '', rollbackOf));
    for (const { workload } of [...transitOf(before), ...transitOf(rollout)]) queue.add(workload);
    // Others wait for its end, or for the budget that it frees.
    if (transitOf(rollout).length < transitOf(before).length) requeueRollouts(deps);
    if (!isRolloutEnded(rollout['status'] as RolloutStatus | undefined)) return;
    requeueRollouts(deps);
    // Workloads that it did not change get its revision when it has ended.
    const affected = project === undefined ? stores.workloads() : stores.workloadsIn(project);
    if (before) for (const workload of affected) enqueue(workload, deps);
  };
  return {
    onAdd: (rollout: LiveObject) => changed(undefined, rollout),
    onUpdate: changed,
    onDelete: (rollout: LiveObject) => {
      deps.platformCache.forget('PlatformRollout', rollout.metadata.name);
      deps.writer.forget(rollout.metadata.uid);
      const { project } = (rollout['spec'] ?? {}) as Partial<RolloutSpec>;
      queue.add(ownerKeyOf(project));
      requeueRollouts(deps);
    },
  };
}

/** Requeues the workloads that share a route with an Ingress: their status names it. */
function requeueRouteRivals(ingress: Child, { stores, queue }: EventHandlerDeps): void {
  for (const { controller, namespace } of stores.routeRivals(ingress))
    if (controller) queue.add(workKey(controller.kind, namespace, controller.name));
}

function profileOf(resource: LiveObject): string | undefined {
  const { runtimeProfile } = (resource['status'] ?? {}) as { readonly runtimeProfile?: unknown };
  return typeof runtimeProfile === 'string' ? runtimeProfile : undefined;
}

const childHandler = (deps: EventHandlerDeps) => ({
  onAdd: (child: Child) => {
    childChanged(child, deps);
    requeueRouteRivals(child, deps);
  },
  onUpdate: (before: Child, child: Child) => {
    childChanged(child, deps);
    if (before.controller?.uid !== child.controller?.uid) childChanged(before, deps);
    for (const one of [before, child]) requeueRouteRivals(one, deps);
  },
  onDelete: (child: Child) => {
    childChanged(child, deps);
    requeueRouteRivals(child, deps);
  },
});

/** Starts to watch gangs when the Platform first reports that the cluster supports them; their API is alpha. */
function watchGangs(deps: EventHandlerDeps): void {
  const { platformCache, stores } = deps;
  const { platform } = platformCache;
  if (platform && schedulesGangs({ platform })) stores.watchOptional('PodGroup')?.addEventHandler(childHandler(deps));
}

function platformHandler(kind: PlatformKind, deps: EventHandlerDeps) {
  const changed = (resource: LiveObject) => {
    enqueue(resource, deps);
    const affected = kind === 'Project' ? deps.stores.workloadsIn(resource.metadata.name) : deps.stores.workloads();
    for (const workload of affected) enqueue(workload, deps);
    if (kind === 'Project') requeueRivals(resource.metadata.name, deps);
    // Objects of a project depend on the Platform, and the Platform on the profile.
    if (kind !== 'Project') for (const project of deps.stores.resources('Project')) enqueue(project, deps);
    if (kind === 'RuntimeProfile' || kind === 'PlatformRevision') deps.queue.add(workKey('Platform', '', 'cluster'));
    requeueRollouts(deps);
    if (kind === 'Platform') watchGangs(deps);
  };
  return {
    onAdd: changed,
    onUpdate: (before: LiveObject, resource: LiveObject) => {
      // Workloads wait until the start of a profile is recorded.
      if (before.metadata.generation !== resource.metadata.generation || isRecorded(before, resource))
        changed(resource);
      else enqueue(resource, deps);
    },
    onDelete: (resource: LiveObject) => {
      deps.platformCache.forget(kind, resource.metadata.name);
      deps.writer.forget(resource.metadata.uid);
      changed(resource);
      // It deletes the rollouts of a deleted Project.
      if (kind === 'Project') deps.queue.add(workKey('Platform', '', 'cluster'));
    },
  };
}

/** Returns whether the status of a Platform records another runtime profile or other revisions. */
const isRecorded = (before: LiveObject, resource: LiveObject): boolean =>
  valueAt(before['status'], ['runtime', 'profile']) !== valueAt(resource['status'], ['runtime', 'profile']) ||
  !isDeepStrictEqual(valueAt(before['status'], ['revisions']), valueAt(resource['status'], ['revisions']));

/** Requeues Projects whose host names may have changed with another one, and their workloads. */
function requeueRivals(project: string, deps: EventHandlerDeps): void {
  const { platformCache, stores, queue } = deps;
  for (const rival of platformCache.projectChanged(project)) {
    queue.add(workKey('Project', '', rival));
    for (const workload of stores.workloadsIn(rival)) enqueue(workload, deps);
  }
}

function childChanged(child: Child, deps: EventHandlerDeps): void {
  const { queue, cache, stores, policies } = deps;
  const { controller, namespace } = child;
  if (policies.observe(child)) requeueProtected(deps);
  if (isCanaryReport(child, deps)) {
    queue.add(workKey('Platform', '', 'cluster'));
    for (const workload of stores.workloads()) enqueue(workload, deps);
    requeueRollouts(deps);
  }
  if (controller && Object.hasOwn(pinionKinds, controller.kind)) {
    const { kind, name } = controller;
    queue.add(workKey(kind, isWorkloadKind(kind) ? namespace : '', name));
  } else if (child.kind === 'PersistentVolumeClaim') {
    // Claims belong to a set or to no object; their labels name the workload.
    const { [metadataKeys.kind]: kind, [metadataKeys.workload]: label } = child.content().metadata.labels ?? {};
    const resource = kind && label && stores.ownerOfPods(kind, namespace, label);
    if (resource) {
      const key = workKey(resource.kind, namespace, resource.metadata.name);
      cache.unsettle(key);
      queue.add(key);
    }
  }
  // A name that was in use may be free now.
  for (const key of cache.waitingFor(child.kind, namespace, child.name)) queue.add(key);
}

/** Requeues the workloads of protected projects, whose new specs depend on the admission policies. */
function requeueProtected({ stores, platformCache, cache, queue }: EventHandlerDeps): void {
  const profile = platformCache.platform?.spec.runtime.profile ?? '';
  for (const { metadata } of stores.resources('Project')) {
    const result = platformCache.context(metadata.name, profile);
    if ('context' in result && !isProtectedProject(result.context)) continue;
    for (const workload of stores.workloadsIn(metadata.name)) {
      const key = workKey(workload.kind, metadata.name, workload.metadata.name);
      cache.unsettle(key);
      queue.add(key);
    }
  }
}

/** Returns whether an object is the canary report that the Platform waits for. */
const isCanaryReport = ({ kind, name, namespace }: Child, { platformCache }: EventHandlerDeps): boolean =>
  kind === 'ConfigMap' &&
  name === canaryReport.name &&
  namespace === platformCache.platform?.spec.runtime.canary?.project;

function podChanged(pod: PodFacts, { queue, stores }: EventHandlerDeps): void {
  const { workload, namespace } = pod;
  const resource = workload && stores.ownerOfPods(workload.kind, namespace, workload.label);
  if (resource) queue.add(workKey(resource.kind, namespace, resource.metadata.name));
}

/** Returns whether a pod has released its resources. */
const hasEnded = ({ phase }: PodFacts): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Requeues waiting gangs after a delay: pods and nodes change together. */
function requeueWaitingGangs({ gangs, queue }: EventHandlerDeps): void {
  for (const key of gangs.waiting) queue.addAfter(key, capacityDelay);
}

function creationFailed(failure: CreationFailure | undefined, deps: EventHandlerDeps): void {
  if (!failure) return;
  let child = deps.stores.child(failure.kind, failure.namespace, failure.name);
  if (child?.uid !== failure.uid) return;
  // Jobs of a CronJob belong to it, and the CronJob belongs to the workload.
  while (child?.controller && !Object.hasOwn(pinionKinds, child.controller.kind))
    child = deps.stores.child(child.controller.kind, child.namespace, child.controller.name);
  if (!child?.controller) return;
  const key = workKey(child.controller.kind, child.namespace, child.controller.name);
  deps.cache.unsettle(key);
  deps.queue.add(key);
}
