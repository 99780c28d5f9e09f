import { canaryReport, isPlatformKind, isWorkloadKind, metadataKeys, pinionKinds, type PlatformKind } from '../api';
import { schedulesGangs } from '../expand';
import { type LiveObject, type WorkQueue } from '../kube';
import { type Child } from './observed/child';
import { type PlatformCache } from './platform-cache';
import { type ApiServerWriter } from './api-server-writer';
import { type GangReservations } from './run/gang-reservations';
import { type InformerStores } from './observed/informer-stores';
import { type Expansions } from './workload-expansion';
import { type ReconcileCache } from './reconcile-cache';
import { offersSame } from './observed/node-facts';
import { type CreationFailure, type PodFacts } from './observed/pod-facts';
import { workKey } from './work-key';

/** Dependencies of the event handlers. */
export interface Wires {
  readonly stores: InformerStores;
  readonly queue: Pick<WorkQueue, 'add' | 'addAfter'>;
  readonly cache: ReconcileCache;
  readonly platformCache: PlatformCache;
  readonly writer: ApiServerWriter;
  readonly expansions: Expansions;
  readonly gangs: GangReservations;
}

/** Milliseconds until counts in the status of platform resources are updated: many workloads change together. */
const countsDelay = 1000;
/** Milliseconds after which gangs that wait for capacity are reconciled once some is released. */
const capacityDelay = 500;

/** Maps every change in the cluster to the keys of the affected resources. */
export function registerEventHandlers(wires: Wires): void {
  const { stores } = wires;
  for (const [kind, informer] of stores.informers.documents) {
    if (isWorkloadKind(kind)) informer.addHandler(workloadHandler(wires));
    else informer.addHandler(platformHandler(kind as PlatformKind, wires));
  }
  for (const informer of stores.informers.children.values()) informer.addHandler(childHandler(wires));
  stores.informers.pods.addHandler({
    added: (pod) => podChanged(pod, wires),
    updated: (before, pod) => {
      podChanged(pod, wires);
      if (before.workload?.label !== pod.workload?.label) podChanged(before, wires);
      if (hasEnded(pod) && !hasEnded(before)) requeueWaitingGangs(wires);
    },
    deleted: (pod) => {
      podChanged(pod, wires);
      requeueWaitingGangs(wires);
    },
  });
  stores.informers.nodes.addHandler({
    added: () => requeueWaitingGangs(wires),
    updated: (before, node) => offersSame(before, node) || requeueWaitingGangs(wires),
  });
  stores.informers.failures.addHandler({
    added: (failure) => failed(failure, wires),
    updated: (_, failure) => failed(failure, wires),
  });
}

function enqueue({ kind, metadata }: LiveObject, { queue }: Wires): void {
  queue.add(workKey(kind, metadata.namespace, metadata.name));
  // Resources that the Platform creates for itself are children too.
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner && isPlatformKind(owner.kind)) queue.add(workKey(owner.kind, '', owner.name));
}

function workloadHandler(wires: Wires) {
  const counts = (document: LiveObject) => {
    wires.queue.addAfter(workKey('Project', '', document.metadata.namespace ?? ''), countsDelay);
    wires.queue.addAfter(workKey('Platform', '', 'cluster'), countsDelay);
    const profile = profileOf(document);
    if (profile !== undefined) wires.queue.addAfter(workKey('RuntimeProfile', '', profile), countsDelay);
  };
  return {
    added: (document: LiveObject) => {
      enqueue(document, wires);
      counts(document);
    },
    updated: (before: LiveObject, document: LiveObject) => {
      enqueue(document, wires);
      if (profileOf(before) === profileOf(document)) return;
      counts(before);
      counts(document);
    },
    deleted: (document: LiveObject) => {
      enqueue(document, wires);
      wires.writer.forget(document.metadata.uid);
      wires.expansions.forget(document.metadata.uid);
      counts(document);
    },
  };
}

function profileOf(document: LiveObject): string | undefined {
  const { runtimeProfile } = (document['status'] ?? {}) as { readonly runtimeProfile?: unknown };
  return typeof runtimeProfile === 'string' ? runtimeProfile : undefined;
}

const childHandler = (wires: Wires) => ({
  added: (child: Child) => childChanged(child, wires),
  updated: (before: Child, child: Child) => {
    childChanged(child, wires);
    if (before.controller?.uid !== child.controller?.uid) childChanged(before, wires);
  },
  deleted: (child: Child) => childChanged(child, wires),
});

/** Starts to watch gangs when the Platform first reports that the cluster supports them; their API is alpha. */
function watchGangs(wires: Wires): void {
  const { platformCache, stores } = wires;
  const { platform } = platformCache;
  if (platform && schedulesGangs({ platform })) stores.watchToo('PodGroup')?.addHandler(childHandler(wires));
}

function platformHandler(kind: PlatformKind, wires: Wires) {
  const moved = (document: LiveObject) => {
    enqueue(document, wires);
    const concerned = kind === 'Project' ? wires.stores.workloadsIn(document.metadata.name) : wires.stores.workloads();
    for (const workload of concerned) enqueue(workload, wires);
    // Objects of a project depend on the Platform, and the Platform on the profile.
    if (kind !== 'Project') for (const project of wires.stores.documents('Project')) enqueue(project, wires);
    if (kind === 'RuntimeProfile') wires.queue.add(workKey('Platform', '', 'cluster'));
    if (kind === 'Platform') watchGangs(wires);
  };
  return {
    added: moved,
    updated: (before: LiveObject, document: LiveObject) => {
      if (before.metadata.generation !== document.metadata.generation) moved(document);
      else enqueue(document, wires);
    },
    deleted: (document: LiveObject) => {
      wires.platformCache.forget(kind, document.metadata.name);
      wires.writer.forget(document.metadata.uid);
      moved(document);
    },
  };
}

function childChanged(child: Child, wires: Wires): void {
  const { queue, cache, stores } = wires;
  const { controller, namespace } = child;
  if (isCanaryReport(child, wires)) {
    queue.add(workKey('Platform', '', 'cluster'));
    for (const workload of stores.workloads()) enqueue(workload, wires);
  }
  if (controller && Object.hasOwn(pinionKinds, controller.kind)) {
    const { kind, name } = controller;
    queue.add(workKey(kind, isWorkloadKind(kind) ? namespace : '', name));
  } else if (child.kind === 'PersistentVolumeClaim') {
    // Claims belong to a set or to no object; their labels name the workload.
    const { [metadataKeys.kind]: kind, [metadataKeys.workload]: label } = child.content().metadata.labels ?? {};
    const document = kind && label && stores.documentOfPods(kind, namespace, label);
    if (document) {
      const key = workKey(document.kind, namespace, document.metadata.name);
      cache.unsettle(key);
      queue.add(key);
    }
  }
  // A name that was in use may be free now.
  for (const key of cache.waitingFor(child.kind, namespace, child.name)) queue.add(key);
}

/** Returns whether an object is the canary report that the Platform waits for. */
const isCanaryReport = ({ kind, name, namespace }: Child, { platformCache }: Wires): boolean =>
  kind === 'ConfigMap' &&
  name === canaryReport.name &&
  namespace === platformCache.platform?.spec.runtime.canary?.project;

function podChanged(pod: PodFacts, { queue, stores }: Wires): void {
  const { workload, namespace } = pod;
  const document = workload && stores.documentOfPods(workload.kind, namespace, workload.label);
  if (document) queue.add(workKey(document.kind, namespace, document.metadata.name));
}

/** Returns whether the resources of a pod are free again. */
const hasEnded = ({ phase }: PodFacts): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Requeues waiting gangs after a delay: pods and nodes change together. */
function requeueWaitingGangs({ gangs, queue }: Wires): void {
  for (const key of gangs.waiting) queue.addAfter(key, capacityDelay);
}

function failed(failure: CreationFailure | undefined, wires: Wires): void {
  if (!failure) return;
  let child = wires.stores.child(failure.kind, failure.namespace, failure.name);
  if (child?.uid !== failure.uid) return;
  // The runs of a schedule belong to its CronJob, which belongs to the workload.
  while (child?.controller && !Object.hasOwn(pinionKinds, child.controller.kind))
    child = wires.stores.child(child.controller.kind, child.namespace, child.controller.name);
  if (!child?.controller) return;
  const key = workKey(child.controller.kind, child.namespace, child.controller.name);
  wires.cache.unsettle(key);
  wires.queue.add(key);
}
