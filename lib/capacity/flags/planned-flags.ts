import { autoscalerBounds, autoscalerFlags } from '../sizing/autoscaler-plan';
import { knownFlags } from './known-flags';
import { type Load, type ControlPlaneProgram, type SupportedVersion } from '../load/load';
import { type Values } from '../plan/plan-values';

/** Flags that are gone or do nothing, and what does their work now. */
export const removedFlags: Readonly<Record<string, { readonly since: string; readonly instead: string }>> = {
  'target-ram-mb': {
    since: 'does nothing since 1.19 and stops a server since 1.24',
    instead:
      'watch caches size themselves: bound memory by overrides.goMemLimitBytes, or take a larger overrides.controlPlaneInstanceType',
  },
  'default-watch-cache-size': {
    since: 'does nothing since 1.19 and is deprecated since 1.25',
    instead: 'watch caches size themselves: overrides.requestTimeoutSeconds lengthens what they keep',
  },
  'insecure-port': { since: 'is gone since 1.24', instead: 'use --secure-port' },
  'cloud-provider': { since: 'is gone from kube-apiserver since 1.33', instead: 'run a cloud controller manager' },
  'cloud-config': {
    since: 'is gone from kube-apiserver since 1.33',
    instead: 'give it to the cloud controller manager',
  },
  'pod-eviction-timeout': {
    since: 'is gone since 1.27',
    instead: 'use default-unreachable-toleration-seconds of kube-apiserver',
  },
};

/** Admission plugins that are enabled beside those that are by default. */
export const admissionPlugins = 'NodeRestriction,EventRateLimit';

const flagSets = new Map<string, ReadonlySet<string>>();

/** Flags that a program of a version has, without the two dashes. */
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

/** Flags by program, in the order of their names; those of the control plane are a plan's own and what a person adds. */
export type PlannedFlags = Readonly<
  Record<ControlPlaneProgram | EtcdClusterName | 'cluster-autoscaler', Readonly<Record<string, string>>>
>;

/** The etcds of a plan; flags of those that it does not make are empty. */
export type EtcdClusterName = 'etcd' | 'etcd-events' | 'etcd-leases';

/** The flags that a plan comes to; of the control plane only those that the version has. */
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

/** A plan's own flags and added ones, those that a version has, in the order of their names. */
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

/** Flags of etcd 3.6; the API server serves consistent lists from its cache only where etcd tells progress often. */
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
