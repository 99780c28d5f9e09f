import { isError, ProblemsError, type Problem } from '@pinion-platform/pinion/api';
import { bucketPlans, type BucketPlan } from './storage/buckets';
import { type ClusterCapacity } from './machines/cluster-capacity';
import { capacityProblems } from './config/capacity-problems';
import { type ClusterConfig } from './config/cluster-config';
import { controlPlanePlans, type ControlPlaneMachinePlan } from './machines/control-plane';
import { encryptionKeyPlan, type EncryptionKeyPlan } from './storage/encryption-key';
import { flowLogPlan, type FlowLogPlan, networkPlan, type NetworkPlan } from './network/network';
import { issuerUrl } from './names';
import { drainQueuePlan, nodeGroupPlans, type DrainQueuePlan, type NodePoolPlan } from './machines/node-groups';
import { type PlannedResource } from './planned-resource';
import { rolePlans, type RolePlan } from './iam/roles';
import { securityGroupsPlan, type SecurityGroupsPlan } from './network/security-groups';
import { spotNoticesPlan, type SpotNoticesPlan } from './machines/spot-notices';
import { tagsOf, type Tags } from './tags';
import { tokenAudience } from './iam/workload-trust';

/** User data in base64: of control plane nodes by member, of workers by pool. */
export interface MachineUserData {
  readonly controlPlane: Readonly<Record<string, string>>;
  readonly pools: Readonly<Record<string, string>>;
}

/** OIDC provider of IAM, so that pods can assume roles with their tokens. */
export type IssuerPlan = PlannedResource<{
  readonly url: string;
  readonly clientIdLists: string[];
  readonly thumbprintLists: string[];
  readonly tags: Tags;
}>;

/**
 * SHA-1 thumbprint of Amazon Root CA 1. IAM ignores it for S3 hosts; without one, it would fetch the discovery document,
 * which the first control plane node has yet to publish.
 */
const rootThumbprint = '8da7f965ec5efc37910f1c6e59fdc1cc6a6ede16';

/** All AWS resources of a cluster. */
export interface ClusterPlan {
  /** Region and account; the provider rejects others. */
  readonly provider: { readonly region: string; readonly allowedAccountIds: string[] };
  readonly key: EncryptionKeyPlan;
  readonly buckets: readonly BucketPlan[];
  readonly network: NetworkPlan;
  readonly flowLog: FlowLogPlan;
  readonly securityGroups: SecurityGroupsPlan;
  readonly issuer: IssuerPlan;
  readonly roles: readonly RolePlan[];
  readonly controlPlane: readonly ControlPlaneMachinePlan[];
  readonly nodeGroups: readonly NodePoolPlan[];
  readonly drainQueue: DrainQueuePlan;
  /** Set if a pool uses spot instances. */
  readonly spotNotices?: SpotNoticesPlan;
}

/** Result of planning a cluster: the plan unless there are errors, and all problems. */
export interface ClusterPlanResult {
  readonly plan?: ClusterPlan;
  readonly problems: readonly Problem[];
}

/** Plans a cluster from a validated configuration and its capacity. Never throws for invalid input. */
export function safePlanCluster(
  config: ClusterConfig,
  capacity: ClusterCapacity,
  userData: MachineUserData,
): ClusterPlanResult {
  const sizes = capacityProblems(config, capacity);
  if (sizes.some(isError)) return { problems: sizes };
  const controlPlane = controlPlanePlans(config, capacity, userData.controlPlane);
  const nodeGroups = nodeGroupPlans(config, capacity, userData.pools);
  const problems = [
    ...sizes,
    ...controlPlane.flatMap(({ member }) =>
      missing(['userData', 'controlPlane', member], userData.controlPlane[member]),
    ),
    ...nodeGroups.flatMap(({ pool }) => missing(['userData', 'pools', pool], userData.pools[pool])),
  ];
  if (problems.some(isError)) return { problems };
  const etcds = capacity.etcd.map(({ etcd }) => etcd);
  const spotNotices = spotNoticesPlan(config, capacity);
  const plan: ClusterPlan = {
    provider: { region: config.region, allowedAccountIds: [config.accountId] },
    key: encryptionKeyPlan(config),
    buckets: bucketPlans(config),
    network: networkPlan(config, capacity.controlPlaneNodes),
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
    controlPlane,
    nodeGroups,
    drainQueue: drainQueuePlan(config),
    ...(spotNotices && { spotNotices }),
  };
  return { plan, problems };
}

/** Plans a cluster. Throws a `ProblemsError` with all problems. */
export function planCluster(config: ClusterConfig, capacity: ClusterCapacity, userData: MachineUserData): ClusterPlan {
  const { plan, problems } = safePlanCluster(config, capacity, userData);
  if (!plan) throw new ProblemsError(problems.filter(isError));
  return plan;
}

const missing = (path: readonly string[], text = ''): Problem[] =>
  text === '' ? [{ code: 'required', path, reason: 'is missing', remedy: 'add the user data of these machines' }] : [];
