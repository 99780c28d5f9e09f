import { multiplyQuantity, parseQuantity, valueAt, type PodSpec, type Quantity } from '../api';
import { podFootprint } from '../expand';
import { addAmounts, amountsOf, type Amounts } from './amounts';

/** An object as it is expanded or as the API server holds it. */
export interface SomeObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
  readonly [field: string]: unknown;
}

const count = (number: number): Quantity => ({ nanos: BigInt(number) * 1_000_000_000n, format: 'DecimalSI' });

/**
 * What quotas count of the objects of one project when all of them are at their largest: autoscaled ones at their most
 * replicas, Deployments in the middle of a rollout with their surge, Jobs and CronJobs with all their parallel pods (one run of
 * each CronJob). Pods of DaemonSets count as often as the status says, or once for each of so many nodes.
 */
export function promisedBy(objects: readonly SomeObject[], nodes = 0): Amounts {
  return objects.map((object) => ofObject(object, objects, nodes)).reduce(addAmounts, {});
}

function ofObject(object: SomeObject, all: readonly SomeObject[], nodes: number): Amounts {
  const { kind } = object;
  const spec = (object['spec'] ?? {}) as Readonly<Record<string, unknown>>;
  const pods = (number: number, path: readonly string[] = ['template', 'spec']): Amounts =>
    podAmounts(valueAt(spec, path) as PodSpec | undefined, number);
  switch (kind) {
    case 'Deployment': {
      const replicas = mostReplicas(object, spec, all);
      return pods(replicas + surgeOf(spec, replicas));
    }
    case 'StatefulSet': {
      const replicas = mostReplicas(object, spec, all);
      const claims = ((spec['volumeClaimTemplates'] ?? []) as readonly { readonly spec?: unknown }[])
        .map((claim) => claimAmounts(claim.spec))
        .reduce(addAmounts, {});
      return addAmounts(pods(replicas), times(claims, replicas));
    }
    case 'DaemonSet':
      return pods(wholeAt(object, ['status', 'desiredNumberScheduled'], nodes));
    case 'Job':
      return pods(wholeAt(spec, ['parallelism'], 1));
    case 'CronJob':
      return pods(wholeAt(spec, ['jobTemplate', 'spec', 'parallelism'], 1), [
        'jobTemplate',
        'spec',
        'template',
        'spec',
      ]);
    case 'PersistentVolumeClaim':
      return claimAmounts(spec);
    case 'Service':
      return { services: count(1), ...(spec['type'] === 'LoadBalancer' && { 'services.loadbalancers': count(1) }) };
    case 'ConfigMap':
      return { configmaps: count(1) };
    default:
      return {};
  }
}

/** What quotas count of so many equal pods. */
export function podAmounts(pod: PodSpec | undefined, number: number): Amounts {
  if (!pod || number <= 0) return {};
  const { requests, limits } = podFootprint(pod);
  const counted: Record<string, Quantity> = { pods: count(1) };
  for (const [name, amount] of Object.entries(requests)) counted[`requests.${name}`] = amount;
  if (limits['memory']) counted['limits.memory'] = limits['memory'];
  return times(counted, number);
}

/** What quotas count of one claim. */
export const claimAmounts = (spec: unknown): Amounts => ({
  persistentvolumeclaims: count(1),
  ...amountsOf({ 'requests.storage': valueAt(spec, ['resources', 'requests', 'storage']) }),
});

const times = (amounts: Amounts, factor: number): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([name, one]) => [name, multiplyQuantity(one, BigInt(factor))]));

function mostReplicas(object: SomeObject, spec: unknown, all: readonly SomeObject[]): number {
  const scaler = all.find(
    (other) =>
      other.kind === 'HorizontalPodAutoscaler' &&
      valueAt(other, ['spec', 'scaleTargetRef', 'kind']) === object.kind &&
      valueAt(other, ['spec', 'scaleTargetRef', 'name']) === object.metadata.name,
  );
  return Math.max(wholeAt(spec, ['replicas'], 1), wholeAt(scaler, ['spec', 'maxReplicas'], 0));
}

/** Pods beyond the replicas while a Deployment rolls: a quarter, rounded up, where nobody says otherwise. */
function surgeOf(spec: unknown, replicas: number): number {
  if (valueAt(spec, ['strategy', 'type']) === 'Recreate') return 0;
  const surge = valueAt(spec, ['strategy', 'rollingUpdate', 'maxSurge']) ?? '25%';
  if (typeof surge === 'number') return surge;
  const share = typeof surge === 'string' && surge.endsWith('%') ? parseQuantity(surge.slice(0, -1)) : undefined;
  return share ? Math.ceil((replicas * Number(share.nanos / 1_000_000_000n)) / 100) : 0;
}

function wholeAt(value: unknown, path: readonly string[], otherwise: number): number {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : otherwise;
}
