import { autoscalerBounds, autoscalerFlags } from '../sizing/autoscaler-plan';
import { knownFlags } from './known-flags';
import { type Load, type ControlPlaneProgram, type SupportedVersion } from '../load/load';
import { type Values } from '../plan/plan-values';

/** Removed or ignored flags, and what replaces them. */
export const removedFlags: Readonly<Record<string, { readonly since: string; readonly instead: string }>> = {
  'target-ram-mb': {
    since: 'has no effect since 1.19 and prevents startup since 1.24',
    instead:
      'watch caches size themselves: limit memory with overrides.goMemLimitBytes, or use a larger overrides.controlPlaneInstanceType',
  },
  'default-watch-cache-size': {
    since: 'has no effect since 1.19 and is deprecated since 1.25',
    instead: 'watch caches size themselves: raise overrides.requestTimeoutSeconds to keep a longer history',
  },
  'insecure-port': { since: 'was removed in 1.24', instead: 'use --secure-port' },
  'cloud-provider': { since: 'was removed from kube-apiserver in 1.33', instead: 'run a cloud controller manager' },
  'cloud-config': {
    since: 'was removed from kube-apiserver in 1.33',
    instead: 'set it on the cloud controller manager',
  },
  'pod-eviction-timeout': {
    since: 'was removed in 1.27',
    instead: 'use default-unreachable-toleration-seconds of kube-apiserver',
  },
};

/** Admission plugins that are enabled in addition to the default ones. */
export const admissionPlugins = 'NodeRestriction,EventRateLimit';

const flagSets = new Map<string, ReadonlySet<string>>();

/** Returns the flags of a program and version, without the two dashes. */
export function flagsOf(program: ControlPlaneProgram, version: SupportedVersion): ReadonlySet<string> {
  const key = `${program} ${version}`;
  const known = flagSets.get(key);
  if (known) return known;
  const lists = knownFlags[program];
  const names = version === '1.35' ? lists['1.35'] : `${lists['1.35']} ${lists['1.36']}`;
  const set = new Set(names.split(' '));
  flagSets.set(key, set);
  return set;
}

/** Flags by program, sorted by name; for the control plane, the planned flags and the extra ones. */
export type PlannedFlags = Readonly<
  Record<ControlPlaneProgram | EtcdClusterName | 'cluster-autoscaler', Readonly<Record<string, string>>>
>;

/** Etcd clusters of a plan; the flags of those that it does not create are empty. */
export type EtcdClusterName = 'etcd' | 'etcd-events' | 'etcd-leases';

/** Returns the flags of a plan; for the control plane, only those that the version has. */
export function flagsFor(load: Load, values: Values): PlannedFlags {
  const own: Readonly<Record<ControlPlaneProgram, Readonly<Record<string, string>>>> = {
    'kube-apiserver': apiServerFlags(values),
    'kube-controller-manager': {
      'kube-api-qps': String(values.controllerManagerQps.value),
      'kube-api-burst': String(values.controllerManagerBurst.value),
    },
    'kube-scheduler': {
      'kube-api-qps': String(values.schedulerQps.value),
      'kube-api-burst': String(values.schedulerBurst.value),
    },
  };
  const of = (program: ControlPlaneProgram): Readonly<Record<string, string>> =>
    gated(own[program], load.flags[program], flagsOf(program, load.kubernetes));
  return {
    'kube-apiserver': of('kube-apiserver'),
    'kube-controller-manager': of('kube-controller-manager'),
    'kube-scheduler': of('kube-scheduler'),
    etcd: etcdFlags(values.etcdQuotaBytes.value),
    'etcd-events': values.eventsEtcd.value ? etcdFlags(values.eventsEtcdQuotaBytes.value) : {},
    'etcd-leases': values.leasesEtcd.value ? etcdFlags(values.leasesEtcdQuotaBytes.value) : {},
    'cluster-autoscaler': autoscalerFlags(autoscalerBounds(values)),
  };
}

/** Returns the planned and the extra flags that a version has, sorted by name. */
function gated(
  own: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>> | undefined,
  known: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  const all = added ? { ...own, ...added } : own;
  for (const name of Object.keys(all).sort()) if (known.has(name)) flags[name] = all[name] ?? '';
  return flags;
}

/** Flags of etcd 3.6. The API server serves consistent lists from its cache only if etcd notifies progress often. */
const etcdFlags = (quotaBytes: number): Readonly<Record<string, string>> => ({
  'quota-backend-bytes': String(quotaBytes),
  'snapshot-count': '10000',
  'watch-progress-notify-interval': '5s',
});

function apiServerFlags(values: Values): Readonly<Record<string, string>> {
  const off = Object.entries(values.watchCacheSizes.value).map(([resource, size]) => `${resource}#${size}`);
  return {
    'max-requests-inflight': String(values.maxRequestsInflight.value),
    'max-mutating-requests-inflight': String(values.maxMutatingRequestsInflight.value),
    'request-timeout': `${values.requestTimeoutSeconds.value}s`,
    'min-request-timeout': String(values.minRequestTimeoutSeconds.value),
    ...(off.length > 0 && { 'watch-cache-sizes': off.join(',') }),
    'goaway-chance': String(values.goawayChance.value),
    'event-ttl': `${values.eventTtlSeconds.value}s`,
    'delete-collection-workers': String(values.deleteCollectionWorkers.value),
    'etcd-compaction-interval': `${values.etcdCompactionIntervalSeconds.value}s`,
    'shutdown-delay-duration': `${values.shutdownDelaySeconds.value}s`,
    'shutdown-send-retry-after': 'true',
    'shutdown-watch-termination-grace-period': '60s',
    'enable-admission-plugins': admissionPlugins,
  };
}
