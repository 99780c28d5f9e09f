import { autoscalerBounds, autoscalerFlags } from '../sizing/autoscaler-plan';
import { knownFlags } from './known-flags';
import { type Load, type ControlPlaneProgram, type SupportedVersion } from '../load/load';
import { type Values } from '../plan/plan-values';

/** Removed or ignored flags, and what replaces them. */
export const removedFlags: Readonly<Record<string, { readonly reason: string; readonly remedy: string }>> = {
  'target-ram-mb': {
    reason: 'has no effect since 1.19 and prevents startup since 1.24',
    remedy:
      'watch caches size themselves: limit memory with overrides.goMemLimitBytes, or use a larger overrides.controlPlaneInstanceType',
  },
  'default-watch-cache-size': {
    reason: 'has no effect since 1.19 and is deprecated since 1.25',
    remedy: 'watch caches size themselves: raise overrides.requestTimeoutSeconds to keep a longer history',
  },
  'insecure-port': { reason: 'was removed in 1.24', remedy: 'use --secure-port' },
  'cloud-provider': { reason: 'was removed from kube-apiserver in 1.33', remedy: 'run a cloud controller manager' },
  'cloud-config': {
    reason: 'was removed from kube-apiserver in 1.33',
    remedy: 'set it on the cloud controller manager',
  },
  'pod-eviction-timeout': {
    reason: 'was removed in 1.27',
    remedy: 'set default-unreachable-toleration-seconds of kube-apiserver',
  },
};

/** Admission plugins enabled in addition to the defaults. */
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

/** Flags by program, sorted by name; for the control plane, planned and extra flags. */
export type PlannedFlags = Readonly<
  Record<ControlPlaneProgram | EtcdClusterName | 'cluster-autoscaler', Readonly<Record<string, string>>>
>;

/** Etcd clusters of a plan; one that it does not create has no flags. */
export type EtcdClusterName = 'etcd' | 'etcd-events' | 'etcd-leases';

/** Returns the flags of a plan; for the control plane, only those that the version supports. */
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
  const supported = (program: ControlPlaneProgram): Readonly<Record<string, string>> =>
    supportedFlags(own[program], load.flags[program], flagsOf(program, load.kubernetes));
  return {
    'kube-apiserver': supported('kube-apiserver'),
    'kube-controller-manager': supported('kube-controller-manager'),
    'kube-scheduler': supported('kube-scheduler'),
    etcd: etcdFlags(values.etcdQuotaBytes.value),
    'etcd-events': values.eventsEtcd.value ? etcdFlags(values.eventsEtcdQuotaBytes.value) : {},
    'etcd-leases': values.leasesEtcd.value ? etcdFlags(values.leasesEtcdQuotaBytes.value) : {},
    'cluster-autoscaler': autoscalerFlags(autoscalerBounds(values)),
  };
}

/** Returns the planned and extra flags that a version supports, sorted by name. */
function supportedFlags(
  own: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>> | undefined,
  known: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  const all = added ? { ...own, ...added } : own;
  for (const name of Object.keys(all).sort()) if (known.has(name)) flags[name] = all[name] ?? '';
  return flags;
}

/** Flags of etcd 3.6. The API server serves consistent lists from its cache only if etcd sends frequent progress notifications. */
const etcdFlags = (quotaBytes: number): Readonly<Record<string, string>> => ({
  'quota-backend-bytes': String(quotaBytes),
  'snapshot-count': '10000',
  'watch-progress-notify-interval': '5s',
});

function apiServerFlags(values: Values): Readonly<Record<string, string>> {
  const disabledCaches = Object.entries(values.watchCacheSizes.value).map(([resource, size]) => `${resource}#${size}`);
  return {
    'max-requests-inflight': String(values.maxRequestsInflight.value),
    'max-mutating-requests-inflight': String(values.maxMutatingRequestsInflight.value),
    'request-timeout': `${values.requestTimeoutSeconds.value}s`,
    'min-request-timeout': String(values.minRequestTimeoutSeconds.value),
    ...(disabledCaches.length > 0 && { 'watch-cache-sizes': disabledCaches.join(',') }),
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
