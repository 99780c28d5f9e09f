import { addAmounts, amountsOf, compareQuantities, formatQuantity, type ResourceList } from '../api';
import { podAmounts, podsAtPeak, type KubernetesObject, type PodChange } from '../expand';

/** Quota of a project as the API server reports it: quantities by resource. */
export interface QuotaUsage {
  readonly hard: Readonly<Record<string, string>>;
  readonly used: Readonly<Record<string, string>>;
}

/** What the rollouts of a project need at once beyond its running pods, against its quota. */
export interface QuotaSurge {
  readonly project: string;
  /** Amounts by the resource names of quotas. */
  readonly surge: Readonly<Record<string, string>>;
  /** Whether the quota suffices for all rollouts at the same time; unknown without the usage of a cluster. */
  readonly fits: 'yes' | 'no' | 'unknown';
  /** Resources of which the quota has less left than the surge, with what is left. */
  readonly short: Readonly<Record<string, string>>;
}

/** Sums the surge pods of restarting workloads by project. */
export class SurgeSum {
  private readonly surges = new Map<string, ResourceList>();

  /** Adds the surge of the objects that restart. */
  add(project: string, objects: readonly KubernetesObject[], changes: readonly PodChange[]): void {
    for (const object of restarting(objects, changes)) {
      const [peak, steady] = [podsAtPeak(object, objects), podsAtPeak(withoutSurge(object), objects)];
      const surge = podAmounts(peak?.pod, (peak?.count ?? 0) - (steady?.count ?? 0));
      if (Object.keys(surge).length > 0) this.surges.set(project, addAmounts(this.surges.get(project) ?? {}, surge));
    }
  }

  /** Returns the surge of each project, in the order of their names. */
  against(quotas: ReadonlyMap<string, readonly QuotaUsage[]> | undefined): readonly QuotaSurge[] {
    return [...this.surges]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([project, surge]) => surgeOf(project, surge, quotas && (quotas.get(project) ?? [])));
  }
}

/** Returns the number of pods of the objects that restart, without their surge. */
export const steadyPods = (objects: readonly KubernetesObject[], changes: readonly PodChange[]): number =>
  restarting(objects, changes)
    .map((object) => podsAtPeak(withoutSurge(object), objects)?.count ?? 0)
    .reduce((sum, count) => sum + count, 0);

function surgeOf(project: string, surge: ResourceList, quotas: readonly QuotaUsage[] | undefined): QuotaSurge {
  const short: Record<string, string> = {};
  for (const { hard, used } of quotas ?? []) {
    const usage = amountsOf(used);
    for (const [resource, limit] of Object.entries(amountsOf(hard))) {
      const amount = surge[resource];
      const before = usage[resource]?.nanos ?? 0n;
      if (!amount || compareQuantities({ ...amount, nanos: before + amount.nanos }, limit) <= 0) continue;
      const left = limit.nanos > before ? limit.nanos - before : 0n;
      short[resource] = formatQuantity({ ...limit, nanos: left });
    }
  }
  const texts = Object.fromEntries(Object.entries(surge).map(([name, amount]) => [name, formatQuantity(amount)]));
  const fits = quotas === undefined ? 'unknown' : Object.keys(short).length > 0 ? 'no' : 'yes';
  return { project, surge: texts, fits, short };
}

const restarting = (objects: readonly KubernetesObject[], changes: readonly PodChange[]): KubernetesObject[] => {
  const names = new Set(changes.filter(({ restarts }) => restarts).map(({ kind, name }) => `${kind}/${name}`));
  return objects.filter(({ kind, metadata }) => names.has(`${kind}/${metadata.name}`));
};

function withoutSurge(object: KubernetesObject): KubernetesObject {
  const spec = object['spec'] as object;
  if (object.kind === 'Deployment') return { ...object, spec: { ...spec, strategy: { type: 'Recreate' } } };
  return object.kind === 'DaemonSet' ? { ...object, spec: { ...spec, updateStrategy: {} } } : object;
}
