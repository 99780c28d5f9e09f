import { instanceTypes } from 'pinion';
import { type ClusterStack } from './cluster-stack';
import { type NodeGroupSize } from './capacity';
import { apiHost, nodeGroupName } from './names';
import { nodeIdentities } from './node-groups';
import { type personalFacts, type PlatformFactsInput } from './platform';

/** What of a cluster is known only once it was created. */
export interface CreatedParts {
  readonly zoneId: string;
  /** ARN of the cluster's key. */
  readonly keyArn: string;
  /** ARNs of the roles that programs of the platform act as. */
  readonly roles: PlatformFactsInput['roles'];
}

/** The facts of a platform that follow from its cluster; a person says the others. */
export type ClusterOutputs = Omit<PlatformFactsInput, (typeof personalFacts)[number] | 'clusterDomain'>;

/** What the platform's stack reads of a cluster. */
export function platformFactsOf({ config, capacity }: ClusterStack, created: CreatedParts): ClusterOutputs {
  const { pods, services, overlay } = config.network;
  return {
    cluster: config.name,
    account: config.account,
    region: config.region,
    zones: config.zones,
    kubernetes: config.kubernetes,
    endpoint: apiHost(config),
    network: { pods, services, overlay },
    hostedZone: { id: created.zoneId, domain: config.domain },
    roles: created.roles,
    volumeKey: created.keyArn,
    masters: { count: capacity.masters, ...sizeOf(capacity.masterInstanceType) },
    autoscaler: capacity.autoscaler,
    nodeGroups: nodeGroupsOf({ config, capacity }),
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

/** Extended resource that nodes with accelerators have. */
const acceleratorResource = 'nvidia.com/gpu';

/** Throws where nothing is known of a type, which is refused when a stack is examined. */
function sizeOf(type: string): { readonly cpus: number; readonly memoryGib: number } {
  const size = instanceTypes.get(type);
  if (!size) throw new TypeError(`nothing is known of the EC2 type ${type}`);
  return { cpus: size.cores, memoryGib: size.memoryGib };
}
