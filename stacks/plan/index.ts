/** What the stack `cluster` makes on AWS, as plain data: arithmetic and text, no cloud, no clock, no file. */

// The description of a cluster, and the plan that follows from it and its capacity.
export { completeCluster, examineCluster, loadOf, type ExaminedCluster } from './cluster-examination';
export { type ClusterConfig, type ClusterInput, type PoolConfig, type Taint } from './cluster-config';
export { type ClusterCapacity, type EtcdVolumeSize, type NodeGroupSize } from './capacity';
export {
  examineClusterPlan,
  planCluster,
  type ClusterPlan,
  type ExaminedClusterPlan,
  type IssuerPlan,
  type UserData,
} from './cluster-plan';

// All of it at once: from the description to what machines are started with.
export { examineClusterStack, planClusterStack, type ClusterStack, type ExaminedClusterStack } from './cluster-stack';
export { plannedCapacity } from './planned-capacity';
export { platformFactsOf, type CreatedParts } from './platform-outputs';

// What user data is written from, before machines are planned.
export { masterIdentities, type MasterIdentity } from './control-plane';
export { drainHookName, nodeIdentities, poolLabel, type NodeIdentity } from './node-groups';
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
export { snapshotFolder } from './machine-rights';
export { issuerPaths } from './issuer';
export { etcdNames, etcdPorts, ports, type EtcdName } from './ports';

// Parts of a plan, one for each component.
export { type Planned } from './planned';
export { type NetworkPlan, type NatGatewayPlan, type RouteTablePlan, type SubnetPlan } from './network';
export { type EndpointPlan } from './endpoints';
export { type LoadBalancerPlan } from './load-balancer';
export {
  passages,
  type GroupName,
  type GroupRule,
  type Passage,
  type Peer,
  type SecurityGroupsPlan,
} from './security-groups';
export { type FlowLogPlan } from './flow-log';
export { type EncryptionKeyPlan } from './encryption-key';
export { type BucketPlan, type LifecycleRule } from './buckets';
export { type RoleKey, type RolePlan } from './roles';
export { type LaunchTemplatePlan } from './launch-template';
export {
  type EtcdVolumePlan,
  type GroupTag,
  type InterfacePlan,
  type MasterGroupPlan,
  type MasterPlan,
} from './control-plane';
export { type DrainHookPlan, type DrainQueuePlan, type NodeGroupPlan, type WorkerGroupPlan } from './node-groups';
export { type SpotNoticesPlan } from './spot-notices';

// Identity: policies as text, and roles of workloads.
export { policyText, trustText, withCreated, type Allowance, type Created, type Trust } from './policy';
export { workloadTrust } from './workload-trust';
export { tagsOf, type Part, type Tags } from './tags';

// What is put on the cluster.
export {
  examinePlatformStack,
  personalFacts,
  planPlatformStack,
  platformAccounts,
  type Awaited,
  type CloudAccount,
  type ExaminedPlatformStack,
  type PlatformFactsInput,
  type Stage,
} from './platform';
