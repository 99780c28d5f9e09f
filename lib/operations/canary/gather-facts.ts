import { conditionOf, conditionsIn, numberAt, textAt, valueAt, type WorkloadKind } from '../../api';
import { quotaOf, type ProjectContext } from '../../expand';
import { listAllPages, type LiveObject, resourceOf } from '../../kube';
import { type CanaryDeploymentPath, type CanaryStep } from './canary-steps';
import {
  type CanaryFacts,
  type CustomFacts,
  type FailedCall,
  type NativeFacts,
  type CanaryPodFacts,
} from './canary-facts';
import { type CanaryDeps } from './canary-deps';
import { listKinds, podOwnerKinds, workloadSelector } from './workload-objects';
import { isReady } from '../drain/readiness';
import { isNativeObserved } from './native-status';
import { writeTimes } from './write-times';

/** Failed step. */
export interface FailedStep {
  readonly kind: WorkloadKind;
  readonly deploymentPath: CanaryDeploymentPath;
  readonly step: CanaryStep;
  readonly name: string;
  readonly waitedFor?: string;
  readonly call?: FailedCall;
}

/** Gathers the facts of a failed step. Unreadable objects are omitted, so that a diagnosis never fails. */
export async function gatherFacts(deps: CanaryDeps, context: ProjectContext, failed: FailedStep): Promise<CanaryFacts> {
  const { client, project: namespace } = deps;
  const { kind, deploymentPath, step, name, waitedFor, call } = failed;
  const labelSelector = workloadSelector(kind, name);
  const get = (resource: string, objectName: string, objectNamespace?: string) =>
    orUndefined(client.get(resourceOf(resource), { name: objectName, namespace: objectNamespace }, shortRequest));
  const [custom, natives, pods, events, nodes, quota, scheduler, manager, controller, writes] = await Promise.all([
    deploymentPath === 'synth' ? undefined : get(kind, name, namespace),
    orUndefined(listKinds(client, podOwnerKinds, namespace, labelSelector)),
    orUndefined(listKinds(client, ['Pod'], namespace, labelSelector)),
    orUndefined(listAllPages(client, 'Event', { namespace, fieldSelector: 'type=Warning' })),
    orUndefined(listAllPages(client, 'Node')),
    get('ResourceQuota', 'project', namespace),
    get('Lease', 'kube-scheduler', 'kube-system'),
    get('Lease', 'kube-controller-manager', 'kube-system'),
    get('Lease', 'pinion-controller', 'pinion-controller'),
    orUndefined(writeTimes(deps)),
  ]);
  const age = (lease: LiveObject | undefined) => secondsSince(lease, deps.clock.now());
  return {
    kind,
    deploymentPath,
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
      desired: quotaOf(context.project, context.platform),
      ...defined({ hard: resourcesAt(quota, ['spec', 'hard']), used: resourcesAt(quota, ['status', 'used']) }),
    },
    ...(writes && { writes }),
  };
}

const shortRequest = { timeout: 10_000, retries: 0 };

async function orUndefined<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch {
    return undefined;
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const defined = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;

const resourcesAt = (live: LiveObject | undefined, path: readonly string[]) =>
  valueAt(live, path) as Readonly<Record<string, string>> | undefined;

const conditionTexts = (live: LiveObject): string[] =>
  conditionsIn(live['status']).map(({ type, status, reason, message }) =>
    `${type}=${status} ${reason ?? ''} ${message ?? ''}`.trim(),
  );

const customFacts = (live: LiveObject): CustomFacts => ({
  generation: live.metadata.generation ?? 0,
  ...defined({
    observedGeneration: numberAt(live, 'status', 'observedGeneration'),
    cause: valueAt(live, ['status', 'cause']) as CustomFacts['cause'],
  }),
  conditions: conditionTexts(live),
  isTerminating: live.metadata.deletionTimestamp !== undefined,
  finalizers: live.metadata.finalizers ?? [],
});

const nativeFacts = (live: LiveObject): NativeFacts => ({
  kind: live.kind,
  name: live.metadata.name,
  isObserved: isNativeObserved(live),
  isTerminating: live.metadata.deletionTimestamp !== undefined,
  conditions: conditionTexts(live),
});

interface ContainerStatus {
  readonly name: string;
  readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
}

/** Waiting reasons of a normal startup. */
const startupReasons: readonly (string | undefined)[] = ['ContainerCreating', 'PodInitializing', undefined];

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
    isTerminating: live.metadata.deletionTimestamp !== undefined,
    waiting: statuses.flatMap(({ name, state }) => {
      const { reason, message = '' } = state?.waiting ?? {};
      return startupReasons.includes(reason) ? [] : [{ container: name, reason: reason ?? '', message }];
    }),
    hasStarted: statuses.length > 0,
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

/** Returns whether a node is Ready and not cordoned. */
export const isNodeReady = (live: LiveObject): boolean =>
  valueAt(live, ['spec', 'unschedulable']) !== true && isReady(live);

function secondsSince(lease: LiveObject | undefined, now: number): number | undefined {
  const renewed = Date.parse(textAt(lease, 'spec', 'renewTime') ?? '');
  return Number.isNaN(renewed) ? undefined : Math.max(0, (now - renewed) / 1000);
}
