import {
  apiVersion,
  type ManifestInput,
  type PodSpec,
  type PodTemplate,
  type Problem,
  type Spec,
  type Toleration,
  type Volume,
  type VolumeMount,
  type Workload,
} from '../../api';
import { clusterService } from '../objects/cluster-service';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { selectorOf } from '../objects/labels';
import { derivedName } from '../objects/name';
import { networkPolicy } from '../objects/network-policy';
import { secondsOf } from '../objects/seconds';
import { serviceAccount } from '../objects/service-account';
import { tierOf } from '../pods/placement';
import { workloadPod, type Pod } from '../pods/pod';
import { requestsRule } from '../policies/requests-rule';
import { type ProjectContext } from '../project-context';
import { daemonPlatformRules } from './daemon/daemon-platform-rules';
import { budgetProblems } from './daemon/node-budget';
import { distinctTolerations, poolAffinity } from './daemon/pool-affinity';
import { listedMounts, type KindExpander } from './kind-expander';

type Daemon = Workload<'PinterestDaemon'>;
type Pools = Spec<'Platform'>['pools'];

/** Manifest of a daemon. */
export type DaemonManifest = ManifestInput<'PinterestDaemon'>;

/** Creates the manifest of a daemon, such as that of a node-level part. */
export const daemonManifest = (name: string, namespace: string, spec: DaemonManifest['spec']): DaemonManifest => ({
  apiVersion,
  kind: 'PinterestDaemon',
  metadata: { name, namespace },
  spec,
});

/** Selects no pool: default pools of the project or Platform must not restrict the nodes of a daemon. */
const noPool = '';

/** Creates the DaemonSet of a daemon, and the Service that routes to the pod on the client's node. */
function objects(workload: Daemon, context: ProjectContext, report: (problem: Problem) => void): KubernetesObject[] {
  const { spec } = workload;
  const ports = spec.ports ?? [];
  const pools = poolsOf(workload, context);
  const pod = workloadPod(workload, context, {
    template: templateForPools(pools, spec.template),
    serves: ports.length > 0,
    spread: false,
    pool: noPool,
    volumes: spec.host.paths.map(volumeOf),
    mounts: spec.host.paths.map(mountOf),
    pod: hostFields(workload, context, pools),
  });
  if (pod.template.spec) budgetProblems(workload, pod.template.spec, report);
  return [
    serviceAccount(workload),
    ...(spec.host.network ? [] : networkPolicy(workload, context, { ingress: false, peers: true })),
    ...pod.objects,
    ...clusterService(workload, ports, { local: true }),
    daemonSet(workload, pod),
  ];
}

function daemonSet(workload: Daemon, pod: Pod): KubernetesObject {
  const { update } = workload.spec;
  const spec = {
    selector: { matchLabels: selectorOf(workload) },
    updateStrategy: strategyOf(update),
    minReadySeconds: secondsOf(update.minReady),
    revisionHistoryLimit: update.revisionHistoryLimit,
    template: pod.template,
  };
  return draftObject('DaemonSet', { name: derivedName([workload.metadata.name]) }, { spec });
}

/** Returns the update strategy; Kubernetes allows a surge only without unavailable pods, and requires one of the two. */
function strategyOf({ strategy, maxSurge = 0, maxUnavailable }: Daemon['spec']['update']) {
  if (strategy === 'OnDelete') return { type: 'OnDelete' };
  const surges = Number.parseInt(String(maxSurge), 10) !== 0;
  return {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge, maxUnavailable: surges ? 0 : (maxUnavailable ?? 1) },
  };
}

const poolsOf = ({ spec: { pools } }: Daemon, context: ProjectContext): Pools | undefined =>
  pools && context.platform.spec.pools.filter(({ name }) => pools.includes(name));

function templateForPools(pools: Pools | undefined, template: PodTemplate): PodTemplate {
  const affinity = poolAffinity(pools, template.spec.affinity);
  return affinity ? { ...template, spec: { ...template.spec, affinity } } : template;
}

function hostFields(workload: Daemon, context: ProjectContext, pools: Pools | undefined): Partial<PodSpec> {
  const { critical, host, template } = workload.spec;
  const tolerations = tolerationsOf(workload, context, pools);
  return {
    ...(critical && { priorityClassName: 'system-node-critical' }),
    ...(host.network && { hostNetwork: true, dnsPolicy: template.spec.dnsPolicy ?? 'ClusterFirstWithHostNet' }),
    ...(host.pid && { hostPID: true }),
    ...(host.ipc && { hostIPC: true }),
    ...(tolerations.length > 0 && { tolerations }),
  };
}

function tolerationsOf(workload: Daemon, context: ProjectContext, pools: Pools | undefined): Toleration[] {
  const { tolerateAll, tolerations = [] } = workload.spec;
  if (tolerateAll) return [{ operator: 'Exists' }];
  const tier = context.platform.spec.tiers.find(({ name }) => name === tierOf(workload, context));
  return distinctTolerations([
    ...(pools ?? []).flatMap((pool) => pool.tolerations ?? []),
    ...(tier?.tolerations ?? []),
    ...tolerations,
  ]);
}

type HostPath = Daemon['spec']['host']['paths'][number];

const volumeOf = ({ name, path, type }: HostPath): Volume => ({
  name,
  hostPath: { path, ...(type !== undefined && { type }) },
});

const mountOf = ({ name, mountPath, readOnly, followMounts }: HostPath): VolumeMount => ({
  name,
  mountPath,
  ...(readOnly && { readOnly }),
  ...(followMounts && { mountPropagation: 'HostToContainer' }),
});

/** Expander of PinterestDaemon. */
export const pinterestDaemonExpander: KindExpander<'PinterestDaemon'> = {
  objects,
  rules: [requestsRule, ...daemonPlatformRules],
  mounts: ({ host }) => listedMounts(['host', 'paths'], host.paths),
  controllerNeeds: () => [],
  concurrentJobs: () => undefined,
  // Node-level parts of the runtime profile are daemons that the controller creates.
  controllerVerbs: ['create', 'patch', 'delete'],
};
