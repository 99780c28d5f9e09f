import { liesWithin } from 'pinion';
import { type Problem } from 'pinion/api';
import { type ClusterConfig, type PoolConfig } from './cluster-config';
import { bucketName, loadBalancerName, roleName, type BucketPurpose } from './names';
import { platformAccounts } from './platform';
import { machineRoles } from './roles';
import { tagFault } from './tags';

const purposes: readonly BucketPurpose[] = ['snapshots', 'logs', 'issuer'];
/** Fields of a load that the stack itself says. */
const saidByStack = ['cluster', 'region', 'zones', 'kubernetes'];
const mostTags = 30;

/** What is wrong with names, load, pools, people and tags of a description. */
export function clusterProblems(config: ClusterConfig): Problem[] {
  return [
    ...nameProblems(config),
    ...bucketProblems(config),
    ...artifactProblems(config),
    ...saidByStack.filter((field) => Object.hasOwn(config.load, field)).map((field) => saidTwice(config, field)),
    ...Object.entries(config.pools).flatMap(([name, pool]) => taintProblems(name, pool)),
    ...peopleProblems(config),
    ...masterMemoryProblems(config),
    ...tagProblems(config),
  ];
}

/** What AWS makes of the cluster's name, with the most characters that it takes. */
function derivedNames(config: ClusterConfig): readonly (readonly [what: string, name: string, most: number])[] {
  const { name } = config;
  return [
    ['the load balancer', loadBalancerName(name), 32],
    ...[...machineRoles, ...Object.keys(platformAccounts)].map(
      (role) => ['the role', roleName(name, role), 64] as const,
    ),
    ...purposes
      .filter((purpose) => config.buckets[purpose] === undefined)
      .map((purpose) => ['the bucket', bucketName(config, purpose), 63] as const),
  ];
}

function nameProblems(config: ClusterConfig): Problem[] {
  const { name } = config;
  const at = { path: ['name'], value: name } as const;
  const problems: Problem[] = [];
  if (name.startsWith('internal-'))
    problems.push({
      ...at,
      code: 'bad-format',
      reason: 'begins with "internal-", which AWS keeps for load balancers of its own naming',
      remedy: `use "${name.slice('internal-'.length)}"`,
    });
  const [worst] = [...derivedNames(config)].sort(([, a, most], [, b, more]) => b.length - more - (a.length - most));
  if (worst && worst[1].length > worst[2]) {
    const [what, derived, most] = worst;
    problems.push({
      ...at,
      code: 'out-of-range',
      reason: `makes ${what} "${derived}" of ${derived.length} characters, and AWS takes ${most}`,
      remedy: `use at most ${name.length - (derived.length - most)} characters${what === 'the bucket' ? ', or name the buckets' : ''}`,
    });
  }
  return problems;
}

function bucketProblems(config: ClusterConfig): Problem[] {
  const names = purposes.map((purpose) => bucketName(config, purpose));
  return purposes.flatMap((purpose, index): Problem[] =>
    names.indexOf(names[index] ?? '') === index
      ? []
      : [
          {
            code: 'duplicate',
            path: ['buckets', purpose],
            value: names[index],
            reason: 'is the name of two buckets',
            remedy: 'give each a name of its own, or leave it out',
          },
        ],
  );
}

const saidTwice = ({ load }: ClusterConfig, field: string): Problem => ({
  code: 'platform-owned',
  path: ['load', field],
  value: load[field],
  reason: 'is what the description of the cluster says itself',
  remedy: `leave it out; it is ${field === 'cluster' ? 'name' : field} above`,
});

const taintProblems = (name: string, { taints }: PoolConfig): Problem[] =>
  taints.flatMap(({ key }, index): Problem[] =>
    taints.findIndex((other) => other.key === key) === index
      ? []
      : [
          {
            code: 'duplicate',
            path: ['pools', name, 'taints', index, 'key'],
            value: key,
            reason: 'is the key of two taints, and the autoscaler can be told of one',
            remedy: 'give each taint a key of its own',
          },
        ],
  );

/** Who publishes writes to the store, and may not attest signatures. */
function artifactProblems({ artifacts }: ClusterConfig): Problem[] {
  const { store, witness } = artifacts ?? {};
  if (store === undefined || witness === undefined || !liesWithin(witness, store)) return [];
  const reason = 'lies in the artifact store, where publishers write';
  return [
    {
      code: 'contradiction',
      path: ['artifacts', 'witness'],
      value: witness,
      reason,
      remedy: 'name a bucket of its own',
    },
  ];
}

function peopleProblems({ people }: ClusterConfig): Problem[] {
  if (!people || /^(?!system:).+$/.test(people.prefix)) return [];
  return [
    {
      code: 'out-of-range',
      path: ['people', 'prefix'],
      value: people.prefix,
      reason: 'lets the issuer name somebody "system:masters" or a system account',
      remedy: 'use "oidc:"',
    },
  ];
}

function tagProblems({ tags }: ClusterConfig): Problem[] {
  const problems = Object.entries(tags).flatMap(([key, value]): Problem[] => {
    const fault = tagFault(key, value);
    return fault === undefined
      ? []
      : [{ code: 'bad-format', path: ['tags', key], value, reason: fault, remedy: 'use another key or value' }];
  });
  const count = Object.keys(tags).length;
  if (count > mostTags)
    problems.push({
      code: 'out-of-range',
      path: ['tags'],
      reason: `has ${count} tags, and AWS takes 50 with those of each resource`,
      remedy: `use at most ${mostTags}`,
    });
  return problems;
}

/** An agent that stops where it begins would ask at every look. */
const masterMemoryProblems = ({ masterMemory: { high, low } }: ClusterConfig): Problem[] =>
  low < high
    ? []
    : [
        {
          code: 'contradiction',
          path: ['masterMemory', 'low'],
          value: low,
          reason: `is not below high, ${high}`,
          remedy: 'leave a twentieth of the limit between them',
        },
      ];
