/** Plans of both stacks as plain data: pure, without cloud, clock or files. */

// Cluster configuration and the plan that follows from it.
export { parseCluster, safeParseCluster, loadOf, type ParseClusterResult } from './config/parse-cluster';
export { type ClusterConfig, type ClusterInput, type PoolConfig, type Taint } from './config/cluster-config';
export { type ClusterCapacity, type EtcdVolumeSize, type NodeGroupSize } from './machines/cluster-capacity';
export {
  safePlanCluster,
  planCluster,
  type ClusterPlan,
  type ClusterPlanResult,
  type IssuerPlan,
  type MachineUserData,
} from './cluster-plan';

// From configuration to user data.
export { safePlanClusterStack, planClusterStack, type ClusterStack, type ClusterStackResult } from './cluster-stack';
export { plannedCapacity } from './machines/planned-capacity';
export { platformInputsOf, type CreatedResources } from './platform-outputs';

// Inputs of user data.
export { controlPlaneIdentities, type ControlPlaneIdentity } from './machines/control-plane';
export { drainHookName, nodeIdentities, poolLabel, type NodeIdentity } from './machines/node-groups';
export {
  apiHost,
  bucketName,
  drainQueueName,
  issuerUrl,
  keyAlias,
  nodeGroupName,
  parameterPath,
  type BucketPurpose,
} from './names';
export { snapshotFolder } from './iam/machine-iam';
export { issuerPaths } from './names';
export { etcdNames, etcdPorts, ports, type EtcdName } from './network/ports';

// Parts of a plan, one per component.
export { type PlannedResource } from './planned-resource';
export { type NetworkPlan, type NatGatewayPlan, type RouteTablePlan, type SubnetPlan } from './network/network';
export { type EndpointPlan } from './network/endpoints';
export { type LoadBalancerPlan } from './network/load-balancer';
export {
  trafficRules,
  type GroupName,
  type GroupRule,
  type TrafficRule,
  type Peer,
  type SecurityGroupsPlan,
} from './network/security-groups';
export { type FlowLogPlan } from './network/network';
export { type EncryptionKeyPlan } from './storage/encryption-key';
export { type BucketPlan, type LifecycleRule } from './storage/buckets';
export { type RoleKey, type RolePlan } from './iam/roles';
export { type LaunchTemplatePlan } from './machines/launch-template';
export {
  type EtcdVolumePlan,
  type GroupTag,
  type InterfacePlan,
  type ControlPlaneGroupPlan,
  type ControlPlaneMachinePlan,
} from './machines/control-plane';
export {
  type DrainHookPlan,
  type DrainQueuePlan,
  type NodePoolPlan,
  type WorkerGroupPlan,
} from './machines/node-groups';
export { type SpotNoticesPlan } from './machines/spot-notices';

// IAM policies and trust of workloads.
export { policyText, trustText, withCreated, type IamStatement, type CreatedIds, type Trust } from './iam/policy';
export { workloadTrust } from './iam/workload-trust';
export { tagsOf, type Part, type Tags } from './tags';

// Platform stack.
export {
  safePlanPlatformStack,
  operatorFields,
  planPlatformStack,
  platformAccounts,
  type AwaitedObject,
  type CloudAccount,
  type PlatformStackResult,
  type PlatformStackInput,
  type Stage,
} from './platform';
