import { instanceTypes, resolve, type CapacityPlan } from 'pinion';
import {
  hostParts,
  withMasterMemory,
  type ControlPlaneSpec,
  type HostParts,
  type KubeletSpec,
  type WorkerSpec,
} from './bootstrap';
import { type ClusterFacts } from './bootstrap/cluster-facts';
import { type People } from './bootstrap/control-plane-spec';
import { type ClusterCapacity } from './capacity';
import { type ClusterConfig } from './cluster-config';
import { masterIdentities } from './control-plane';
import { exactVersion } from './exact-version';
import { snapshotFolder } from './machine-rights';
import { apiHost, bucketName, issuerUrl, keyAlias, parameterPath } from './names';
import { nodeIdentities } from './node-groups';
import { dnsAddress } from './platform';
import { type EtcdName } from './ports';
import { reservedResources } from './reserved-resources';

/** Domain of names within every cluster. */
const clusterDomain = 'cluster.local';
/** Pods of a master: its own programs and one of each daemon. */
const masterPods = 32;

/** What all machines of a cluster are told. */
export interface MachineSpecs {
  readonly controlPlane: ControlPlaneSpec;
  /** By pool. */
  readonly workers: Readonly<Record<string, WorkerSpec>>;
}

/** Names of databases as a capacity plan has them. */
const plannedEtcd = { main: 'etcd', events: 'etcd-events', leases: 'etcd-leases' } as const satisfies Record<
  EtcdName,
  string
>;

/** What machines are told, from the description of a cluster and the plan of its capacity. */
export function machineSpecs(config: ClusterConfig, plan: CapacityPlan, capacity: ClusterCapacity): MachineSpecs {
  const cluster: ClusterFacts = {
    name: config.name,
    region: config.region,
    kubernetesVersion: exactVersion(config),
    endpoint: apiHost(config),
    clusterDomain,
    clusterDns: [dnsAddress(config.network.services)],
    parameters: parameterPath(config.name),
  };
  const host = hostParts(resolve([]).profile.spec.parts);
  return {
    controlPlane: controlPlaneSpec(config, plan, capacity, cluster, masterHost(config, host)),
    workers: Object.fromEntries(
      nodeIdentities(config, capacity).map((identity, index): [string, WorkerSpec] => {
        const { pool, labels, taints, maxPods } = identity;
        const [type = ''] = capacity.nodeGroups[index]?.instanceTypes ?? [];
        return [
          pool,
          {
            cluster,
            labels,
            taints,
            kubelet: kubeletSpec(plan, type, maxPods),
            imageRegistries: registriesOf(config),
            host,
          },
        ];
      }),
    ),
  };
}

/** Where masters have an agent of their own, the one of all machines does not act beside it. */
const masterHost = ({ masterMemory }: ClusterConfig, host: HostParts): HostParts => {
  if (masterMemory.mode === 'off') return host;
  const parts = resolve([]).profile.spec.parts.filter(({ name }) => name !== 'memory-agent');
  return withMasterMemory(hostParts(parts), masterMemory);
};

const controlPlaneSpec = (
  config: ClusterConfig,
  plan: CapacityPlan,
  capacity: ClusterCapacity,
  cluster: ClusterFacts,
  host: HostParts,
): ControlPlaneSpec => ({
  cluster,
  members: masterIdentities(config, capacity).map((identity) => ({
    name: identity.member,
    address: identity.address,
    subnet: identity.subnetBlock,
    interfaceTags: identity.interfaceTags,
    volumeTags: identity.volumeTags,
  })),
  etcds: capacity.etcd.map(({ etcd }) => ({ name: etcd, flags: plan.flags[plannedEtcd[etcd]] })),
  flags: {
    'kube-apiserver': plan.flags['kube-apiserver'],
    'kube-controller-manager': plan.flags['kube-controller-manager'],
    'kube-scheduler': plan.flags['kube-scheduler'],
  },
  apiServerEnvironment: plan.apiServerEnvironment,
  eventRateLimit: plan.eventRateLimit,
  objects: plan.flowControl,
  serviceSubnet: config.network.services,
  serviceAccounts: { issuer: issuerUrl(config), bucket: bucketName(config, 'issuer'), path: '' },
  people: peopleOf(config),
  kubelet: kubeletSpec(plan, capacity.masterInstanceType, masterPods),
  // Masters take turns, so that the cluster has one snapshot each hour.
  snapshots: { bucket: bucketName(config, 'snapshots'), path: snapshotFolder, everyHours: capacity.masters },
  parameterKey: keyAlias(config.name),
  imageRegistries: registriesOf(config),
  host,
});

/** The registry of the account, where machines may read anything of it. */
const registriesOf = ({ account, region, repositories }: ClusterConfig): string[] =>
  repositories.length > 0 ? [`${account}.dkr.ecr.${region}.amazonaws.com`] : [];

const kubeletSpec = (plan: CapacityPlan, type: string, maxPods: number): KubeletSpec => ({
  maxPods,
  rates: { ...plan.kubelet },
  ...reservedResources({ cores: instanceTypes.get(type)?.cores ?? 1 }, maxPods),
});

function peopleOf({ people }: ClusterConfig): People {
  if (!people) return { issuers: [], administrators: [], observers: [] };
  const { issuer, clientId, usernameClaim, groupsClaim, prefix, adminGroups, observerGroups } = people;
  const prefixed = (group: string): string => `${prefix}${group}`;
  return {
    issuers: [{ url: issuer, audiences: [clientId], usernameClaim, groupsClaim, prefix }],
    administrators: adminGroups.map(prefixed),
    observers: observerGroups.map(prefixed),
  };
}
