import { amountsOf, isQuotaResource, largerAmounts, smallerAmounts, valueAt, type ResourceList } from '../api';
import { type LiveObject } from '../kube';

/** Combined ResourceQuotas of one namespace. */
export interface QuotaInForce {
  /** Lowest limit of each resource. */
  readonly hard: ResourceList;
  /** Current usage counted by the API server. */
  readonly used: ResourceList;
}

/** Aliases in a ResourceQuota. */
const otherNames: Readonly<Record<string, string>> = { cpu: 'requests.cpu', memory: 'requests.memory' };

/** Returns quotas by namespace. Those with scopes count only some pods and are skipped. */
export function quotasInForce(quotas: readonly LiveObject[]): ReadonlyMap<string, QuotaInForce> {
  const found = new Map<string, QuotaInForce>();
  for (const quota of quotas) {
    const namespace = quota.metadata.namespace ?? '';
    if (valueAt(quota, ['spec', 'scopes']) ?? valueAt(quota, ['spec', 'scopeSelector'])) continue;
    const before = found.get(namespace) ?? { hard: {}, used: {} };
    const hard = counted(valueAt(quota, ['spec', 'hard']));
    found.set(namespace, {
      hard: smallerAmounts(before.hard, hard),
      used: largerAmounts(before.used, counted(valueAt(quota, ['status', 'used']))),
    });
  }
  return found;
}

function counted(stated: unknown): ResourceList {
  const named = Object.entries(amountsOf(stated)).map(([name, amount]) => [otherNames[name] ?? name, amount] as const);
  return Object.fromEntries(named.filter(([name]) => isQuotaResource(name)));
}
