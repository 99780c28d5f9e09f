import { nearest, type Problem } from '@pinion-platform/pinion/api';
import { maxNodes, type ClusterCapacity } from '../machines/cluster-capacity';
import { addressesIn, formatCidr, freeBlock, parseCidr, type Cidr } from '../network/cidr';
import { type ClusterConfig } from './cluster-config';
import { nodeBlockPrefix } from '../platform/add-ons/cilium/cilium-configuration';
import { vpcPrefixes, workerCapacity } from '../network/subnet-layout';

/** Machines during a rolling update, in percent of the maximum size. */
const surgePercent = 110;
const withSurge = (machines: number): number => Math.ceil((machines * surgePercent) / 100);

/** Validates the planned or overridden capacity against the cluster configuration. */
export function capacityProblems(config: ClusterConfig, capacity: ClusterCapacity): Problem[] {
  return [
    ...controlPlaneProblems(config, capacity),
    ...etcdProblems(capacity),
    ...poolProblems(config, capacity),
    ...imageProblems(config, capacity),
    ...workerSubnetProblems(config, capacity),
    ...podBlockProblems(config, capacity),
  ];
}

function controlPlaneProblems({ zones }: ClusterConfig, { controlPlaneNodes: nodes }: ClusterCapacity): Problem[] {
  const at = { path: ['load', 'overrides', 'controlPlaneNodes'], value: nodes } as const;
  if (nodes % 2 === 0)
    return [
      {
        ...at,
        code: 'out-of-range',
        reason: `${nodes} etcd members tolerate ${Math.max(0, nodes / 2 - 1)} failures, as many as ${nodes - 1} do`,
        remedy: `use ${Math.max(3, nodes - 1)}`,
      },
    ];
  if (nodes < 3)
    return [
      {
        ...at,
        code: 'out-of-range',
        reason: 'a single etcd member can neither fail nor be replaced',
        remedy: 'use 3',
      },
    ];
  if (nodes <= zones.length) return [];
  return [
    {
      ...at,
      code: 'invalid-combination',
      reason: `each control plane node needs its own zone, and there are ${zones.length} zones`,
      remedy: `use ${nodes} zones, or ${zones.length % 2 === 0 ? zones.length - 1 : zones.length} nodes`,
    },
  ];
}

function etcdProblems({ etcd }: ClusterCapacity): Problem[] {
  const names = etcd.map((one) => one.etcd);
  return (['main', 'events'] as const)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      code: 'required',
      path: ['load', 'overrides', name === 'events' ? 'eventsEtcd' : 'etcd'],
      reason: `has no etcd ${name}; a burst of events would fill the main database`,
      remedy: 'plan a volume for it',
    }));
}

function poolProblems({ pools }: ClusterConfig, { nodeGroups }: ClusterCapacity): Problem[] {
  const known = nodeGroups.map(({ pool }) => pool);
  return Object.keys(pools)
    .filter((pool) => !known.includes(pool))
    .map((pool) => {
      const guess = nearest(pool, known);
      return {
        code: 'unknown-reference',
        path: ['pools', pool],
        reason: 'is not a pool of the load',
        remedy: guess ? `did you mean "${guess}"?` : `use ${known.join(', ')}, or add it to load.mix`,
      };
    });
}

/** Requires an image for pools whose architecture is not that of `images.worker`. */
const imageProblems = ({ pools }: ClusterConfig, { nodeGroups }: ClusterCapacity): Problem[] =>
  nodeGroups
    .filter(({ pool, architecture }) => architecture === 'arm64' && pools[pool]?.image === undefined)
    .map(({ pool }) => ({
      code: 'required',
      path: ['pools', pool, 'image'],
      reason: 'is missing: images.worker is for amd64, and the machines of the pool are arm64',
      remedy: 'set the ID of an arm64 machine image',
    }));

/** Checks that all workers fit into the remaining zones when one fails during a rolling update. */
function workerSubnetProblems(
  { network, zones }: ClusterConfig,
  { controlPlaneNodes, ...rest }: ClusterCapacity,
): Problem[] {
  const cidr = parseCidr(network.vpc);
  const workers = withSurge(maxNodes({ controlPlaneNodes, ...rest }) - controlPlaneNodes);
  if (!cidr || workers <= workerCapacity(cidr.prefix, zones.length - 1)) return [];
  const prefixes = Array.from({ length: cidr.prefix - vpcPrefixes.min }, (_, step) => cidr.prefix - 1 - step);
  const enough = prefixes.find((prefix) => workers <= workerCapacity(prefix, zones.length - 1));
  const free = enough === undefined ? undefined : freeBlock(enough, blocksInUse(network, 'vpc'));
  const maxWorkers = Math.floor((workerCapacity(vpcPrefixes.min, zones.length - 1) * 100) / surgePercent);
  return [
    {
      code: 'out-of-range',
      path: ['network', 'vpc'],
      value: network.vpc,
      reason: `fits ${workerCapacity(cidr.prefix, zones.length - 1)} workers when one zone fails, but pools grow to ${workers} during a rolling update`,
      remedy: free
        ? `use "${formatCidr(free)}"`
        : enough === undefined
          ? `plan at most ${maxWorkers} workers, or more zones`
          : `use a prefix of /${enough}`,
    },
  ];
}

function podBlockProblems({ network }: ClusterConfig, capacity: ClusterCapacity): Problem[] {
  const cidr = parseCidr(network.pods);
  const nodes = withSurge(maxNodes(capacity));
  const fitting = cidr ? addressesIn(cidr) / addressesIn({ prefix: nodeBlockPrefix }) : 0;
  if (!cidr || nodes <= fitting) return [];
  const enough = nodeBlockPrefix - Math.ceil(Math.log2(nodes));
  const free = freeBlock(enough, blocksInUse(network, 'pods'));
  return [
    {
      code: 'out-of-range',
      path: ['network', 'pods'],
      value: network.pods,
      reason: `has a /${nodeBlockPrefix} block for ${Math.floor(fitting)} nodes, but the cluster grows to ${nodes}`,
      remedy: free ? `use "${formatCidr(free)}"` : `use a prefix of /${enough}`,
    },
  ];
}

/** Returns the blocks that a new one must not overlap. */
const blocksInUse = (network: ClusterConfig['network'], except: 'vpc' | 'pods'): Cidr[] =>
  [
    ...(['vpc', 'pods', 'services'] as const).filter((name) => name !== except).map((name) => network[name]),
    ...network.peers,
  ].flatMap((text) => parseCidr(text) ?? []);
