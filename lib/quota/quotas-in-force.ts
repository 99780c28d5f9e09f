import { amountsOf, isQuotaResource, largerAmounts, smallerAmounts, valueAt, type ResourceList } from '../api';
import { type LiveObject } from '../kube';

/** What the ResourceQuotas of one namespace say together. */
export interface QuotaInForce {
  /** Of each resource the lowest bound. */
  readonly hard: ResourceList;
  /** What the API server counts now. */
  readonly used: ResourceList;
}

/** Names that a ResourceQuota may use for the same. */
const otherNames: Readonly<Record<string, string>> = { cpu: 'requests.cpu', memory: 'requests.memory' };

/** Quotas by namespace. Those with scopes count only some pods, and are passed over. */
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
