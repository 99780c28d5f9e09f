import { isWithinLocation } from '@pinion-platform/pinion';
import { type Problem } from '@pinion-platform/pinion/api';
import { type ClusterConfig, type PoolConfig } from './cluster-config';
import { bucketName, loadBalancerName, roleName, type BucketPurpose } from '../names';
import { platformAccounts } from '../platform';
import { machineRoles } from '../iam/roles';
import { tagFault } from '../tags';

const purposes: readonly BucketPurpose[] = ['snapshots', 'logs', 'issuer'];
/** Load fields that the cluster configuration sets, with the configuration field of each. */
export const clusterFields: Readonly<Record<string, string>> = {
  cluster: 'name',
  region: 'region',
  zones: 'zones',
  kubernetes: 'kubernetesVersion',
};
const maxTags = 30;

/** Validates names, load, pools, OIDC, page cache reclaim and tags of a cluster configuration. */
export function clusterProblems(config: ClusterConfig): Problem[] {
  return [
    ...nameProblems(config),
    ...bucketProblems(config),
    ...artifactProblems(config),
    ...Object.keys(clusterFields)
      .filter((field) => Object.hasOwn(config.load, field))
      .map((field) => repeatedField(config, field)),
    ...Object.entries(config.pools).flatMap(([name, pool]) => taintProblems(name, pool)),
    ...oidcProblems(config),
    ...pageCacheReclaimProblems(config),
    ...tagProblems(config),
  ];
}

/** Returns the AWS names derived from the cluster name, with their maximum length. */
function derivedNames(config: ClusterConfig): readonly (readonly [what: string, name: string, max: number])[] {
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
      reason: 'starts with "internal-", which AWS reserves for load balancers',
      remedy: `use "${name.slice('internal-'.length)}"`,
    });
  const [worst] = [...derivedNames(config)].sort(([, a, maxA], [, b, maxB]) => b.length - maxB - (a.length - maxA));
  if (worst && worst[1].length > worst[2]) {
    const [subject, derived, max] = worst;
    problems.push({
      ...at,
      code: 'out-of-range',
      reason: `makes ${subject} name "${derived}" ${derived.length} characters long; AWS allows ${max}`,
      remedy: `use at most ${name.length - (derived.length - max)} characters${subject === 'the bucket' ? ', or set buckets' : ''}`,
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
            reason: 'is used for two buckets',
            remedy: 'use a unique name, or remove it',
          },
        ],
  );
}

const repeatedField = ({ load }: ClusterConfig, field: string): Problem => ({
  code: 'platform-owned',
  path: ['load', field],
  value: load[field],
  reason: 'is set by the cluster configuration',
  remedy: `remove it; set ${clusterFields[field] ?? field} of the cluster`,
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
            reason: 'is the key of two taints; the autoscaler supports one per key',
            remedy: 'use a unique key per taint',
          },
        ],
  );

/** Checks that publishers, who write to the artifact store, cannot write to the verification store. */
function artifactProblems({ artifacts }: ClusterConfig): Problem[] {
  const { store, verificationStore } = artifacts ?? {};
  if (store === undefined || verificationStore === undefined || !isWithinLocation(verificationStore, store)) return [];
  const reason = 'is inside the artifact store, which publishers can write to';
  return [
    {
      code: 'invalid-combination',
      path: ['artifacts', 'verificationStore'],
      value: verificationStore,
      reason,
      remedy: 'use a separate bucket',
    },
  ];
}

function oidcProblems({ oidc }: ClusterConfig): Problem[] {
  if (!oidc || /^(?!system:).+$/.test(oidc.prefix)) return [];
  return [
    {
      code: 'out-of-range',
      path: ['oidc', 'prefix'],
      value: oidc.prefix,
      reason: 'would let the issuer grant system users and groups such as "system:masters"',
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
  if (count > maxTags)
    problems.push({
      code: 'out-of-range',
      path: ['tags'],
      reason: `has ${count} tags; AWS allows 50, including those of each resource`,
      remedy: `use at most ${maxTags}`,
    });
  return problems;
}

/** Checks that reclaim stops below the threshold at which it starts; otherwise it would run continuously. */
const pageCacheReclaimProblems = ({ pageCacheReclaim: { high, low } }: ClusterConfig): Problem[] =>
  low < high
    ? []
    : [
        {
          code: 'invalid-combination',
          path: ['pageCacheReclaim', 'low'],
          value: low,
          reason: `must be less than high, ${high}`,
          remedy: 'keep at least 0.05 between them',
        },
      ];
