import { instanceTypes } from '@pinion-platform/pinion';
import { type ClusterStack } from './cluster-stack';
import { type NodeGroupSize } from './machines/cluster-capacity';
import { privateSubnetBlocks } from './network/network';
import { apiHost, nodeGroupName } from './names';
import { nodeIdentities } from './machines/node-groups';
import { type operatorFields, type PlatformStackInput } from './platform';

/** Outputs of created resources. */
export interface CreatedResources {
  readonly zoneId: string;
  /** ARN of the KMS key. */
  readonly keyArn: string;
  /** ARNs of IAM roles of the platform's programs. */
  readonly roles: PlatformStackInput['roles'];
}

/** Input of the platform stack that is derived from the cluster. */
export type ClusterOutputs = Omit<PlatformStackInput, (typeof operatorFields)[number] | 'clusterDomain'>;

/** Returns the input of the platform stack that is derived from the cluster. */
export function platformInputsOf({ config, capacity }: ClusterStack, created: CreatedResources): ClusterOutputs {
  const { pods, services, overlay } = config.network;
  return {
    cluster: config.name,
    accountId: config.accountId,
    region: config.region,
    zones: config.zones,
    kubernetesVersion: config.kubernetesVersion,
    endpoint: apiHost(config),
    network: { pods, services, internalBalancers: privateSubnetBlocks(config), overlay },
    hostedZone: { id: created.zoneId, domain: config.domain },
    roles: created.roles,
    volumeKey: created.keyArn,
    controlPlane: { count: capacity.controlPlaneNodes, ...sizeOf(capacity.controlPlaneInstanceType) },
    autoscaler: capacity.autoscaler,
    nodeGroups: nodeGroupsOf({ config, capacity }),
    ...(config.clientMonitor !== 'off' && { auditEvents: true }),
    ...(config.artifacts && { artifacts: config.artifacts }),
  };
}

const nodeGroupsOf = ({ config, capacity }: Pick<ClusterStack, 'config' | 'capacity'>): ClusterOutputs['nodeGroups'] =>
  nodeIdentities(config, capacity).map(({ pool, labels, taints }, index) => {
    const size = capacity.nodeGroups[index] as NodeGroupSize;
    return {
      pool,
      group: nodeGroupName(config.name, pool),
      min: size.min,
      max: size.max,
      ...sizeOf(size.instanceTypes[0] ?? ''),
      labels,
      taints: [...taints],
      accelerators: size.kind === 'accelerator' ? [acceleratorResource] : [],
    };
  });

/** Extended resource of nodes with accelerators. */
const acceleratorResource = 'nvidia.com/gpu';

/** Returns the size of an instance type. Throws a `TypeError` for unknown types, which validation rejects earlier. */
function sizeOf(type: string): { readonly cpus: number; readonly memoryGib: number } {
  const size = instanceTypes.get(type);
  if (!size) throw new TypeError(`unknown EC2 instance type ${type}`);
  return { cpus: size.cores, memoryGib: size.memoryGib };
}
