import { instanceTypes, resolvePlatform, type CapacityPlan } from '@pinion-platform/pinion';
import {
  hostParts,
  withPageCacheReclaim,
  type ControlPlaneSpec,
  type HostParts,
  type KubeletSpec,
  type WorkerSpec,
} from '../bootstrap';
import { type NodeClusterConfig } from '../bootstrap/node-cluster-config';
import { type OidcAuthentication } from '../bootstrap/control-plane/control-plane-spec';
import { type ClusterCapacity } from './cluster-capacity';
import { type ClusterConfig } from '../config/cluster-config';
import { controlPlaneIdentities } from './control-plane';
import { exactVersion } from './exact-version';
import { snapshotFolder } from '../iam/machine-iam';
import { apiHost, bucketName, issuerUrl, keyAlias, parameterPath } from '../names';
import { nodeIdentities } from './node-groups';
import { dnsAddress } from '../platform';
import { privateSubnetBlocks } from '../network/network';
import { type EtcdName } from '../network/ports';
import { reservedResources } from './reserved-resources';

/** DNS domain of every cluster. */
const clusterDomain = 'cluster.local';
/** Maximum pods of a control plane node: static pods and daemons. */
const controlPlaneMaxPods = 32;

/** Bootstrap settings of all machines of a cluster. */
export interface MachineSpecs {
  readonly controlPlane: ControlPlaneSpec;
  /** By pool. */
  readonly workers: Readonly<Record<string, WorkerSpec>>;
}

/** Names of etcd databases in a capacity plan. */
const plannedEtcd = { main: 'etcd', events: 'etcd-events', leases: 'etcd-leases' } as const satisfies Record<
  EtcdName,
  string
>;

/** Returns the bootstrap settings of machines from the configuration and the capacity plan. */
export function machineSpecs(config: ClusterConfig, plan: CapacityPlan, capacity: ClusterCapacity): MachineSpecs {
  const cluster: NodeClusterConfig = {
    name: config.name,
    region: config.region,
    kubernetesVersion: exactVersion(config),
    endpoint: apiHost(config),
    clusterDomain,
    clusterDns: [dnsAddress(config.network.services)],
    parameters: parameterPath(config.name),
    workerSubnets: privateSubnetBlocks(config),
  };
  const host = hostParts(resolvePlatform([]).profile.spec.parts);
  return {
    controlPlane: controlPlaneSpec(config, plan, capacity, cluster, controlPlaneHostParts(config, host)),
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

/** Returns the host parts of control plane nodes: page cache reclaim replaces the memory agent of the profile. */
const controlPlaneHostParts = ({ pageCacheReclaim }: ClusterConfig, host: HostParts): HostParts => {
  if (pageCacheReclaim.mode === 'off') return host;
  const parts = resolvePlatform([]).profile.spec.parts.filter(({ name }) => name !== 'memory-agent');
  return withPageCacheReclaim(hostParts(parts), pageCacheReclaim);
};

const controlPlaneSpec = (
  config: ClusterConfig,
  plan: CapacityPlan,
  capacity: ClusterCapacity,
  cluster: NodeClusterConfig,
  host: HostParts,
): ControlPlaneSpec => ({
  cluster,
  members: controlPlaneIdentities(config, capacity).map((identity) => ({
    name: identity.member,
    address: identity.address,
    subnet: identity.subnetBlock,
    interfaceTags: identity.interfaceTags,
    volumeTags: identity.volumeTags,
  })),
  sendsAuditEvents: config.clientMonitor !== 'off',
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
  oidc: oidcOf(config),
  kubelet: kubeletSpec(plan, capacity.controlPlaneInstanceType, controlPlaneMaxPods),
  rootGib: capacity.controlPlaneRootGib,
  // Nodes take turns, so that the cluster has one snapshot per hour.
  snapshots: { bucket: bucketName(config, 'snapshots'), path: snapshotFolder, everyHours: capacity.controlPlaneNodes },
  parameterKey: keyAlias(config.name),
  imageRegistries: registriesOf(config),
  host,
});

/** Returns the ECR registry of the account, if machines may pull from it. */
const registriesOf = ({ accountId, region, ecrRepositories }: ClusterConfig): string[] =>
  ecrRepositories.length > 0 ? [`${accountId}.dkr.ecr.${region}.amazonaws.com`] : [];

const kubeletSpec = (plan: CapacityPlan, type: string, maxPods: number): KubeletSpec => ({
  maxPods,
  rates: { ...plan.kubelet },
  ...reservedResources({ cores: instanceTypes.get(type)?.cores ?? 1 }, maxPods),
});

function oidcOf({ oidc }: ClusterConfig): OidcAuthentication {
  if (!oidc) return { issuers: [], administrators: [], observers: [] };
  const { issuer, clientId, usernameClaim, groupsClaim, prefix, adminGroups, observerGroups } = oidc;
  const prefixed = (group: string): string => `${prefix}${group}`;
  return {
    issuers: [{ url: issuer, audiences: [clientId], usernameClaim, groupsClaim, prefix }],
    administrators: adminGroups.map(prefixed),
    observers: observerGroups.map(prefixed),
  };
}
