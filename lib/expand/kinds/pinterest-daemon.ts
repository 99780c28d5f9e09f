import {
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
import { daemonSet } from './daemon/daemon-set';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { networkPolicy } from '../objects/network-policy';
import { budgetProblems } from './daemon/node-budget';
import { tierOf } from '../pods/placement';
import { workloadPod } from '../pods/pod';
import { distinctTolerations, poolAffinity } from './daemon/pool-affinity';
import { serviceAccount } from '../objects/service-account';
import { type ProjectContext } from '../project-context';

type Daemon = Workload<'PinterestDaemon'>;
type Pools = Spec<'Platform'>['pools'];

/** No pool has this name: defaults of the project and the Platform would keep a daemon from other nodes. */
const noPool = '';

/** A program of the infrastructure with one pod on every node: a DaemonSet, and a Service that leads to the pod of the own node. */
export function pinterestDaemon(
  workload: Daemon,
  context: ProjectContext,
  report: (problem: Problem) => void,
): KubernetesObject[] {
  const { spec } = workload;
  const ports = spec.ports ?? [];
  const pools = poolsOf(workload, context);
  const pod = workloadPod(workload, context, {
    template: templateOn(pools, spec.template),
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
    ...(spec.host.network ? [] : networkPolicy(workload, context, { entrance: false })),
    ...pod.objects,
    ...clusterService(workload, ports, { local: true }),
    daemonSet(workload, pod),
  ];
}

const poolsOf = ({ spec: { pools } }: Daemon, context: ProjectContext): Pools | undefined =>
  pools && context.platform.spec.pools.filter(({ name }) => pools.includes(name));

function templateOn(pools: Pools | undefined, template: PodTemplate): PodTemplate {
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
