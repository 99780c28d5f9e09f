import { type FieldPath, type Problem } from '@pinion-platform/pinion/api';
import {
  enclosing,
  formatCidr,
  freeBlock,
  isSubnetOf,
  overlap,
  parseCidr,
  privateBlocks,
  type Cidr,
} from '../network/cidr';
import { type ClusterConfig } from './cluster-config';
import { vpcPrefixes } from '../network/subnet-layout';

/** CIDR blocks of the cluster, with the prefix lengths that each may have. */
const clusterBlocks = {
  vpc: { owner: 'the VPC', ...vpcPrefixes },
  pods: { owner: 'pods', min: 8, max: 20 },
  // The API server rejects larger blocks.
  services: { owner: 'services', min: 12, max: 24 },
} as const;

type BlockName = keyof typeof clusterBlocks;

interface NamedBlock {
  readonly path: FieldPath;
  readonly owner: string;
  readonly text: string;
  readonly cidr: Cidr | undefined;
}

/** Minimum prefix length of a network of API clients. */
const minClientPrefix = 8;

/** Validates the CIDR blocks of a cluster. */
export function addressProblems({ network }: Pick<ClusterConfig, 'network'>): Problem[] {
  const own = (Object.keys(clusterBlocks) as BlockName[]).map((name) => ({
    ...blockOf(['network', name], clusterBlocks[name].owner, network[name]),
    name,
  }));
  const peers = network.peers.map((text, index) => blockOf(['network', 'peers', index], 'a connected network', text));
  const clients = network.apiClients.map((text, index) =>
    blockOf(['network', 'apiClients', index], 'clients of the API', text),
  );
  const usedBlocks = [...own, ...peers].flatMap(({ cidr }) => cidr ?? []);
  return [
    ...[...own, ...peers, ...clients].flatMap(formProblem),
    ...own.flatMap(({ name, ...block }) => sizeProblem(name, block, usedBlocks)),
    ...overlapProblems(own, peers, usedBlocks),
    ...clients.flatMap(breadthProblem),
  ];
}

const blockOf = (path: FieldPath, owner: string, text: string): NamedBlock => ({
  path,
  owner,
  text,
  cidr: parseCidr(text),
});

function formProblem({ path, text, cidr }: NamedBlock): Problem[] {
  if (cidr) return [];
  const suggested = enclosing(text);
  return [
    {
      code: 'bad-format',
      path,
      value: text,
      reason: suggested ? 'is not the first address of its block' : 'is not an IPv4 CIDR block',
      remedy: suggested ? `use "${formatCidr(suggested)}"` : 'use a CIDR block such as "10.0.0.0/16"',
    },
  ];
}

function sizeProblem(name: BlockName, { path, text, cidr }: NamedBlock, usedBlocks: readonly Cidr[]): Problem[] {
  if (!cidr) return [];
  const { owner, min, max } = clusterBlocks[name];
  const prefix = Math.min(max, Math.max(min, cidr.prefix));
  const remedy = suggestion(
    prefix,
    usedBlocks.filter((one) => one !== cidr),
  );
  if (prefix !== cidr.prefix)
    return [
      {
        code: 'out-of-range',
        path,
        value: text,
        reason: `has prefix /${cidr.prefix}; the block of ${owner} must be /${min} to /${max}`,
        remedy: remedy ?? `use a prefix of /${prefix}`,
      },
    ];
  if (privateBlocks.some((outer) => isSubnetOf(cidr, outer))) return [];
  return [
    {
      code: 'out-of-range',
      path,
      value: text,
      reason: 'is not a private range',
      remedy: remedy ?? `use a block within ${privateBlocks.map(formatCidr).join(', ')}`,
    },
  ];
}

/** Returns one problem per overlapping pair, at the later block of the cluster, since peer networks cannot be changed. */
function overlapProblems(
  own: readonly NamedBlock[],
  peers: readonly NamedBlock[],
  usedBlocks: readonly Cidr[],
): Problem[] {
  return own.flatMap((block, index) =>
    [...own.slice(0, index), ...peers].flatMap((other): Problem[] => {
      if (!block.cidr || !other.cidr || !overlap(block.cidr, other.cidr)) return [];
      const free = suggestion(block.cidr.prefix, usedBlocks);
      return [
        {
          code: 'invalid-combination',
          path: block.path,
          value: block.text,
          reason: `overlaps ${other.text} of ${other.owner}`,
          remedy: free ?? `use a block that does not overlap ${other.text}`,
        },
      ];
    }),
  );
}

const suggestion = (prefix: number, usedBlocks: readonly Cidr[]): string | undefined => {
  const free = freeBlock(prefix, usedBlocks);
  return free && `use "${formatCidr(free)}"`;
};

function breadthProblem({ path, text, cidr }: NamedBlock): Problem[] {
  if (!cidr || cidr.prefix >= minClientPrefix) return [];
  return [
    {
      code: 'out-of-range',
      path,
      value: text,
      reason: `has prefix /${cidr.prefix}, which is too broad`,
      remedy: `list the networks of clients, each with a prefix of /${minClientPrefix} or longer`,
    },
  ];
}
