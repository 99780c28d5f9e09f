import { addAmounts, amountsOf, compareQuantities, formatQuantity, type PodSpec, type ResourceList } from '../api';
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
  /** Surges of single workloads, of which a rollout restarts only some at the same time. */
  private readonly rolling = new Map<string, ResourceList[]>();

  /** Adds the surge of the objects that restart, together with those of all other workloads. */
  add(project: string, objects: readonly KubernetesObject[], changes: readonly PodChange[]): void {
    const surge = surgeOfChanges(objects, changes);
    if (Object.keys(surge).length > 0) this.surges.set(project, addAmounts(this.surges.get(project) ?? {}, surge));
  }

  /** Adds the surge of objects that a rollout restarts. */
  addRolling(project: string, objects: readonly KubernetesObject[], changes: readonly PodChange[]): void {
    const surge = surgeOfChanges(objects, changes);
    if (Object.keys(surge).length === 0) return;
    this.rolling.set(project, [...(this.rolling.get(project) ?? []), surge]);
  }

  /**
   * Returns the surge of each project, in the order of their names: of a rollout, the largest surges of as many workloads of the project
   * as it moves at once.
   */
  against(
    quotas: ReadonlyMap<string, readonly QuotaUsage[]> | undefined,
    { atOnce = 0 }: { readonly atOnce?: number } = {},
  ): readonly QuotaSurge[] {
    const all = new Map(this.surges);
    for (const [project, surges] of this.rolling)
      all.set(project, addAmounts(all.get(project) ?? {}, largestTogether(surges, atOnce)));
    return [...all]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([project, surge]) => surgeOf(project, surge, quotas && (quotas.get(project) ?? [])));
  }
}

/** Returns the number of pods of the objects that restart, without their surge. */
export const steadyPods = (objects: readonly KubernetesObject[], changes: readonly PodChange[]): number =>
  steadyPodsOf(restarting(objects, changes), objects);

/** Returns the number of pods of some objects of a workload, without their surge. */
export const steadyPodsOf = (some: readonly KubernetesObject[], all: readonly KubernetesObject[]): number =>
  some.map((object) => podsAtPeak(withoutSurge(object), all)?.count ?? 0).reduce((sum, count) => sum + count, 0);

const surgeOfChanges = (objects: readonly KubernetesObject[], changes: readonly PodChange[]): ResourceList =>
  surgePods(objects, changes)
    .map(({ pod, count }) => podAmounts(pod, count))
    .reduce(addAmounts, {});

/** Returns the pods of the objects that restart beyond their steady number. */
export function surgePods(
  objects: readonly KubernetesObject[],
  changes: readonly PodChange[],
): readonly { readonly pod: PodSpec; readonly count: number }[] {
  return restarting(objects, changes).flatMap((object) => {
    const [peak, steady] = [podsAtPeak(object, objects), podsAtPeak(withoutSurge(object), objects)];
    const count = (peak?.count ?? 0) - (steady?.count ?? 0);
    return peak?.pod && count > 0 ? [{ pod: peak.pod, count }] : [];
  });
}

/** Returns the sum of the largest amounts of each resource. */
function largestTogether(surges: readonly ResourceList[], count: number): ResourceList {
  const names = [...new Set(surges.flatMap((surge) => Object.keys(surge)))];
  return names
    .map((name) =>
      surges
        .flatMap((surge) => surge[name] ?? [])
        .sort((one, other) => compareQuantities(other, one))
        .slice(0, count)
        .map((amount): ResourceList => ({ [name]: amount }))
        .reduce(addAmounts, {}),
    )
    .reduce(addAmounts, {});
}

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

/** Returns an object whose pods are replaced without pods beyond its number. */
export function withoutSurge(object: KubernetesObject): KubernetesObject {
  const spec = object['spec'] as object;
  if (object.kind === 'Deployment') return { ...object, spec: { ...spec, strategy: { type: 'Recreate' } } };
  return object.kind === 'DaemonSet' ? { ...object, spec: { ...spec, updateStrategy: {} } } : object;
}
