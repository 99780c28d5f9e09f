import { isError, ProblemsError, type Problem } from 'pinion/api';
import { bucketPlans, type BucketPlan } from './buckets';
import { type ClusterCapacity } from './capacity';
import { capacityProblems } from './capacity-problems';
import { type ClusterConfig } from './cluster-config';
import { masterPlans, type MasterPlan } from './control-plane';
import { encryptionKeyPlan, type EncryptionKeyPlan } from './encryption-key';
import { flowLogPlan, type FlowLogPlan } from './flow-log';
import { issuerUrl } from './names';
import { networkPlan, type NetworkPlan } from './network';
import { drainQueuePlan, nodeGroupPlans, type DrainQueuePlan, type NodeGroupPlan } from './node-groups';
import { type Planned } from './planned';
import { rolePlans, type RolePlan } from './roles';
import { securityGroupsPlan, type SecurityGroupsPlan } from './security-groups';
import { spotNoticesPlan, type SpotNoticesPlan } from './spot-notices';
import { tagsOf, type Tags } from './tags';
import { tokenAudience } from './workload-trust';

/** What machines are started with, in base64: masters by the letter of their zone, workers by their pool. */
export interface UserData {
  readonly masters: Readonly<Record<string, string>>;
  readonly pools: Readonly<Record<string, string>>;
}

/** IAM's knowledge of the issuer, so that pods take roles with their own tokens. */
export type IssuerPlan = Planned<{
  readonly url: string;
  readonly clientIdLists: string[];
  readonly thumbprintLists: string[];
  readonly tags: Tags;
}>;

/**
 * SHA-1 of the certificate of Amazon Root CA 1. S3 is trusted by its authority, and this is not looked at; without one, IAM
 * would fetch it from the host that the discovery document names, which the first master has yet to write.
 */
const rootThumbprint = '8da7f965ec5efc37910f1c6e59fdc1cc6a6ede16';

/** Everything that the stack makes on AWS. */
export interface ClusterPlan {
  /** Nothing is made in another account or region by mistake. */
  readonly provider: { readonly region: string; readonly allowedAccountIds: string[] };
  readonly key: EncryptionKeyPlan;
  readonly buckets: readonly BucketPlan[];
  readonly network: NetworkPlan;
  readonly flowLog: FlowLogPlan;
  readonly securityGroups: SecurityGroupsPlan;
  readonly issuer: IssuerPlan;
  readonly roles: readonly RolePlan[];
  readonly masters: readonly MasterPlan[];
  readonly nodeGroups: readonly NodeGroupPlan[];
  readonly drainQueue: DrainQueuePlan;
  /** Where a pool has spot machines. */
  readonly spotNotices?: SpotNoticesPlan;
}

/** A plan, or all that is in its way. */
export interface ExaminedClusterPlan {
  readonly plan?: ClusterPlan;
  readonly problems: readonly Problem[];
}

/** Plans a cluster from its description, which was examined, and its capacity. */
export function examineClusterPlan(
  config: ClusterConfig,
  capacity: ClusterCapacity,
  userData: UserData,
): ExaminedClusterPlan {
  const sizes = capacityProblems(config, capacity);
  if (sizes.some(isError)) return { problems: sizes };
  const masters = masterPlans(config, capacity, userData.masters);
  const nodeGroups = nodeGroupPlans(config, capacity, userData.pools);
  const problems = [
    ...sizes,
    ...masters.flatMap(({ member }) => missing(['userData', 'masters', member], userData.masters[member])),
    ...nodeGroups.flatMap(({ pool }) => missing(['userData', 'pools', pool], userData.pools[pool])),
  ];
  if (problems.some(isError)) return { problems };
  const etcds = capacity.etcd.map(({ etcd }) => etcd);
  const spotNotices = spotNoticesPlan(config, capacity);
  const plan: ClusterPlan = {
    provider: { region: config.region, allowedAccountIds: [config.account] },
    key: encryptionKeyPlan(config),
    buckets: bucketPlans(config),
    network: networkPlan(config, capacity.masters),
    flowLog: flowLogPlan(config),
    securityGroups: securityGroupsPlan(config, etcds),
    issuer: {
      name: 'issuer',
      args: {
        url: issuerUrl(config),
        clientIdLists: [tokenAudience],
        thumbprintLists: [rootThumbprint],
        tags: tagsOf(config, 'identity', 'issuer'),
      },
    },
    roles: rolePlans(config),
    masters,
    nodeGroups,
    drainQueue: drainQueuePlan(config),
    ...(spotNotices && { spotNotices }),
  };
  return { plan, problems };
}

/** Plans a cluster. Throws a `ProblemsError` with all that is wrong. */
export function planCluster(config: ClusterConfig, capacity: ClusterCapacity, userData: UserData): ClusterPlan {
  const { plan, problems } = examineClusterPlan(config, capacity, userData);
  if (!plan) throw new ProblemsError(problems.filter(isError));
  return plan;
}

const missing = (path: readonly string[], text = ''): Problem[] =>
  text === ''
    ? [{ code: 'required', path, reason: 'is missing', remedy: 'give what these machines are started with' }]
    : [];
