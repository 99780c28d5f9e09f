import { type FieldPath, type Problem } from 'pinion/api';
import { enclosing, formatCidr, freeBlock, isWithin, overlap, parseCidr, privateBlocks, type Cidr } from './cidr';
import { type ClusterConfig } from './cluster-config';
import { vpcPrefixes } from './subnet-layout';

/** Blocks that the cluster itself takes, with the prefixes that each may have. */
const ours = {
  vpc: { what: 'the VPC', ...vpcPrefixes },
  pods: { what: 'pods', least: 8, greatest: 20 },
  // The API server takes no larger one.
  services: { what: 'services', least: 12, greatest: 24 },
} as const;

type OurName = keyof typeof ours;

interface NamedBlock {
  readonly path: FieldPath;
  readonly what: string;
  readonly text: string;
  readonly cidr: Cidr | undefined;
}

/** Prefix below which a network of API clients is half the world. */
const broadestClients = 8;

/** What is wrong with the addresses of a cluster. */
export function addressProblems({ network }: Pick<ClusterConfig, 'network'>): Problem[] {
  const own = (Object.keys(ours) as OurName[]).map((name) => ({
    ...blockOf(['network', name], ours[name].what, network[name]),
    name,
  }));
  const peers = network.peers.map((text, index) => blockOf(['network', 'peers', index], 'a connected network', text));
  const clients = network.apiClients.map((text, index) =>
    blockOf(['network', 'apiClients', index], 'clients of the API', text),
  );
  const taken = [...own, ...peers].flatMap(({ cidr }) => cidr ?? []);
  return [
    ...[...own, ...peers, ...clients].flatMap(formProblem),
    ...own.flatMap(({ name, ...block }) => sizeProblem(name, block, taken)),
    ...overlapProblems(own, peers, taken),
    ...clients.flatMap(breadthProblem),
  ];
}

const blockOf = (path: FieldPath, what: string, text: string): NamedBlock => ({
  path,
  what,
  text,
  cidr: parseCidr(text),
});

function formProblem({ path, text, cidr }: NamedBlock): Problem[] {
  if (cidr) return [];
  const meant = enclosing(text);
  return [
    {
      code: 'bad-format',
      path,
      value: text,
      reason: meant ? 'does not begin at the first address of a block' : 'is no block of IPv4 addresses',
      remedy: meant ? `use "${formatCidr(meant)}"` : 'write a block, such as "10.0.0.0/16"',
    },
  ];
}

function sizeProblem(name: OurName, { path, text, cidr }: NamedBlock, taken: readonly Cidr[]): Problem[] {
  if (!cidr) return [];
  const { what, least, greatest } = ours[name];
  const prefix = Math.min(greatest, Math.max(least, cidr.prefix));
  const remedy = instead(
    prefix,
    taken.filter((one) => one !== cidr),
  );
  if (prefix !== cidr.prefix)
    return [
      {
        code: 'out-of-range',
        path,
        value: text,
        reason: `has the prefix /${cidr.prefix}, and a block of ${what} has /${least} to /${greatest}`,
        remedy: remedy ?? `use a prefix of /${prefix}`,
      },
    ];
  if (privateBlocks.some((outer) => isWithin(cidr, outer))) return [];
  return [
    {
      code: 'out-of-range',
      path,
      value: text,
      reason: 'is not private: somebody on the internet may have these addresses',
      remedy: remedy ?? `use a block within ${privateBlocks.map(formatCidr).join(', ')}`,
    },
  ];
}

/** One problem for each pair; it stands at the one of ours that is named later, since a peer cannot be moved. */
function overlapProblems(own: readonly NamedBlock[], peers: readonly NamedBlock[], taken: readonly Cidr[]): Problem[] {
  return own.flatMap((block, index) =>
    [...own.slice(0, index), ...peers].flatMap((other): Problem[] => {
      if (!block.cidr || !other.cidr || !overlap(block.cidr, other.cidr)) return [];
      const free = instead(block.cidr.prefix, taken);
      return [
        {
          code: 'contradiction',
          path: block.path,
          value: block.text,
          reason: `overlaps ${other.text} of ${other.what}`,
          remedy: free ?? `use a block that does not overlap ${other.text}`,
        },
      ];
    }),
  );
}

const instead = (prefix: number, taken: readonly Cidr[]): string | undefined => {
  const free = freeBlock(prefix, taken);
  return free && `use "${formatCidr(free)}"`;
};

function breadthProblem({ path, text, cidr }: NamedBlock): Problem[] {
  if (!cidr || cidr.prefix >= broadestClients) return [];
  return [
    {
      code: 'out-of-range',
      path,
      value: text,
      reason: `has the prefix /${cidr.prefix}, which is no network of somebody`,
      remedy: `name the networks that reach the API, each with /${broadestClients} or longer`,
    },
  ];
}
