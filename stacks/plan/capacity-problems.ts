import { nearest, type Problem } from 'pinion/api';
import { mostNodes, type ClusterCapacity } from './capacity';
import { addressesIn, formatCidr, freeBlock, parseCidr, type Cidr } from './cidr';
import { type ClusterConfig } from './cluster-config';
import { nodeBlockPrefix } from './platform/cilium-configuration';
import { vpcPrefixes, workersIn } from './subnet-layout';

/** Machines that there are while groups replace theirs, in percent of the most that they grow to. */
const surgePercent = 110;
const withSurge = (machines: number): number => Math.ceil((machines * surgePercent) / 100);

/** What is wrong between a description and the capacity that follows from it, or was asked for in its place. */
export function capacityProblems(config: ClusterConfig, capacity: ClusterCapacity): Problem[] {
  return [
    ...masterProblems(config, capacity),
    ...etcdProblems(capacity),
    ...poolProblems(config, capacity),
    ...workerRoomProblems(config, capacity),
    ...podRoomProblems(config, capacity),
  ];
}

function masterProblems({ zones }: ClusterConfig, { masters }: ClusterCapacity): Problem[] {
  const at = { path: ['load', 'overrides', 'masters'], value: masters } as const;
  if (masters % 2 === 0)
    return [
      {
        ...at,
        code: 'out-of-range',
        reason: `${masters} members of etcd survive the loss of ${Math.max(0, masters / 2 - 1)}, no more than ${masters - 1} do`,
        remedy: `use ${Math.max(3, masters - 1)}`,
      },
    ];
  if (masters < 3)
    return [
      {
        ...at,
        code: 'out-of-range',
        reason: 'one member of etcd cannot be lost, nor replaced in turn',
        remedy: 'use 3',
      },
    ];
  if (masters <= zones.length) return [];
  return [
    {
      ...at,
      code: 'contradiction',
      reason: `one master is in each zone, and there are ${zones.length} zones`,
      remedy: `give ${masters} zones, or use ${zones.length % 2 === 0 ? zones.length - 1 : zones.length}`,
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
      reason: `leaves etcd ${name} out, and a burst of events would fill the database of all objects`,
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
        reason: 'is no pool of the load',
        remedy: guess ? `did you mean "${guess}"?` : `use ${known.join(', ')}, or add it to the mix of the load`,
      };
    });
}

/** Workers fit into the zones that are left when one is lost, with some of them being replaced. */
function workerRoomProblems({ network, zones }: ClusterConfig, { masters, ...rest }: ClusterCapacity): Problem[] {
  const cidr = parseCidr(network.vpc);
  const workers = withSurge(mostNodes({ masters, ...rest }) - masters);
  if (!cidr || workers <= workersIn(cidr.prefix, zones.length - 1)) return [];
  const prefixes = Array.from({ length: cidr.prefix - vpcPrefixes.least }, (_, step) => cidr.prefix - 1 - step);
  const enough = prefixes.find((prefix) => workers <= workersIn(prefix, zones.length - 1));
  const free = enough === undefined ? undefined : freeBlock(enough, taken(network, 'vpc'));
  const most = Math.floor((workersIn(vpcPrefixes.least, zones.length - 1) * 100) / surgePercent);
  return [
    {
      code: 'out-of-range',
      path: ['network', 'vpc'],
      value: network.vpc,
      reason: `has room for ${workersIn(cidr.prefix, zones.length - 1)} workers with one zone lost, and pools grow to ${workers} while they are replaced`,
      remedy: free
        ? `use "${formatCidr(free)}"`
        : enough === undefined
          ? `plan at most ${most} workers, or more zones`
          : `use a prefix of /${enough}`,
    },
  ];
}

function podRoomProblems({ network }: ClusterConfig, capacity: ClusterCapacity): Problem[] {
  const cidr = parseCidr(network.pods);
  const nodes = withSurge(mostNodes(capacity));
  const room = cidr ? addressesIn(cidr) / addressesIn({ prefix: nodeBlockPrefix }) : 0;
  if (!cidr || nodes <= room) return [];
  const enough = nodeBlockPrefix - Math.ceil(Math.log2(nodes));
  const free = freeBlock(enough, taken(network, 'pods'));
  return [
    {
      code: 'out-of-range',
      path: ['network', 'pods'],
      value: network.pods,
      reason: `has a /${nodeBlockPrefix} for each of ${Math.floor(room)} nodes, and there may be ${nodes}`,
      remedy: free ? `use "${formatCidr(free)}"` : `use a prefix of /${enough}`,
    },
  ];
}

/** Blocks that another one must keep clear of. */
const taken = (network: ClusterConfig['network'], except: 'vpc' | 'pods'): Cidr[] =>
  [
    ...(['vpc', 'pods', 'services'] as const).filter((name) => name !== except).map((name) => network[name]),
    ...network.peers,
  ].flatMap((text) => parseCidr(text) ?? []);
