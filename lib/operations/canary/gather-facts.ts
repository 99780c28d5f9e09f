import { conditionOf, conditionsIn, numberAt, textAt, valueAt, type WorkloadKind } from '../../api';
import { quotaOf, type ProjectContext } from '../../expand';
import { listAllPages, type LiveObject, resourceOf } from '../../kube';
import { type CanaryDoorName, type CanaryStep } from './canary-steps';
import {
  type CanaryFacts,
  type CustomFacts,
  type FailedCall,
  type NativeFacts,
  type CanaryPodFacts,
} from './canary-facts';
import { type CanaryDeps } from './canary-deps';
import { listKinds, runningKinds, selectorOfWorkload } from './live-parts';
import { isReady } from '../drain/readiness';
import { isNativeSeen } from './standing';
import { writeTimes } from './write-times';

/** What failed, and where. */
export interface FailedStep {
  readonly kind: WorkloadKind;
  readonly door: CanaryDoorName;
  readonly step: CanaryStep;
  readonly name: string;
  readonly waitedFor?: string;
  readonly call?: FailedCall;
}

/** Looks at what a failure may come from. What cannot be read is left out: a diagnosis never fails. */
export async function gatherFacts(world: CanaryDeps, known: ProjectContext, failed: FailedStep): Promise<CanaryFacts> {
  const { client, project: namespace } = world;
  const { kind, door, step, name, waitedFor, call } = failed;
  const labelSelector = selectorOfWorkload(kind, name);
  const get = (of: string, named: string, place?: string) =>
    orNothing(client.get(resourceOf(of), { name: named, namespace: place }, brief));
  const [custom, natives, pods, events, nodes, quota, scheduler, manager, controller, writes] = await Promise.all([
    door === 'synth' ? undefined : get(kind, name, namespace),
    orNothing(listKinds(client, runningKinds, namespace, labelSelector)),
    orNothing(listKinds(client, ['Pod'], namespace, labelSelector)),
    orNothing(listAllPages(client, 'Event', { namespace, fieldSelector: 'type=Warning' })),
    orNothing(listAllPages(client, 'Node')),
    get('ResourceQuota', 'project', namespace),
    get('Lease', 'kube-scheduler', 'kube-system'),
    get('Lease', 'kube-controller-manager', 'kube-system'),
    get('Lease', 'pinion-controller', 'pinion-controller'),
    orNothing(writeTimes(world)),
  ]);
  const age = (lease: LiveObject | undefined) => secondsSince(lease, world.clock.now());
  return {
    kind,
    door,
    step,
    ...(waitedFor !== undefined && { waitedFor }),
    ...(call && { call }),
    ...(custom && { custom: customFacts(custom) }),
    natives: (natives ?? []).map(nativeFacts),
    pods: (pods ?? []).map(podFacts),
    warnings: warningsOf(events ?? [], name),
    leases: defined({ scheduler: age(scheduler), controllerManager: age(manager), controller: age(controller) }),
    nodes: { all: nodes?.length ?? 0, ready: (nodes ?? []).filter(isNodeReady).length },
    quota: {
      wanted: quotaOf(known.project, known.platform),
      ...defined({ hard: amountsAt(quota, ['spec', 'hard']), used: amountsAt(quota, ['status', 'used']) }),
    },
    ...(writes && { writes }),
  };
}

const brief = { timeout: 10_000, retries: 0 };

async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch {
    return undefined;
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const defined = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;

const amountsAt = (live: LiveObject | undefined, path: readonly string[]) =>
  valueAt(live, path) as Readonly<Record<string, string>> | undefined;

const said = (live: LiveObject): string[] =>
  conditionsIn(live['status']).map(({ type, status, reason, message }) =>
    `${type}=${status} ${reason ?? ''} ${message ?? ''}`.trim(),
  );

const customFacts = (live: LiveObject): CustomFacts => ({
  generation: live.metadata.generation ?? 0,
  ...defined({
    observedGeneration: numberAt(live, 'status', 'observedGeneration'),
    cause: valueAt(live, ['status', 'cause']) as CustomFacts['cause'],
  }),
  conditions: said(live),
  isEnding: live.metadata.deletionTimestamp !== undefined,
  finalizers: live.metadata.finalizers ?? [],
});

const nativeFacts = (live: LiveObject): NativeFacts => ({
  kind: live.kind,
  name: live.metadata.name,
  isSeen: isNativeSeen(live),
  isEnding: live.metadata.deletionTimestamp !== undefined,
  conditions: said(live),
});

interface ContainerStatus {
  readonly name: string;
  readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
}

/** What a container waits for while nothing is wrong. */
const usual: readonly (string | undefined)[] = ['ContainerCreating', 'PodInitializing', undefined];

function podFacts(live: LiveObject): CanaryPodFacts {
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap(
    (field) => (valueAt(live, ['status', field]) ?? []) as readonly ContainerStatus[],
  );
  const scheduled = conditionOf(live['status'], 'PodScheduled');
  return {
    name: live.metadata.name,
    ...defined({
      node: textAt(live, 'spec', 'nodeName'),
      scheduling: scheduled && (scheduled.message ?? scheduled.status),
    }),
    isReady: valueAt(live, ['status', 'phase']) === 'Succeeded' || isReady(live),
    isEnding: live.metadata.deletionTimestamp !== undefined,
    waiting: statuses.flatMap(({ name, state }) => {
      const { reason, message = '' } = state?.waiting ?? {};
      return usual.includes(reason) ? [] : [{ container: name, reason: reason ?? '', message }];
    }),
    hasBegun: statuses.length > 0,
  };
}

function warningsOf(events: readonly LiveObject[], name: string): CanaryFacts['warnings'] {
  const time = (event: LiveObject): string =>
    textAt(event, 'lastTimestamp') ?? textAt(event, 'eventTime') ?? event.metadata.creationTimestamp ?? '';
  return events
    .filter((event) => (textAt(event, 'involvedObject', 'name') ?? '').startsWith(name))
    .sort((a, b) => (time(a) < time(b) ? -1 : 1))
    .map((event) => ({ reason: textAt(event, 'reason') ?? '', message: textAt(event, 'message') ?? '' }))
    .slice(-20);
}

/** Whether a node takes pods: it is Ready, and not cordoned. */
export const isNodeReady = (live: LiveObject): boolean =>
  valueAt(live, ['spec', 'unschedulable']) !== true && isReady(live);

function secondsSince(lease: LiveObject | undefined, now: number): number | undefined {
  const renewed = Date.parse(textAt(lease, 'spec', 'renewTime') ?? '');
  return Number.isNaN(renewed) ? undefined : Math.max(0, (now - renewed) / 1000);
}
