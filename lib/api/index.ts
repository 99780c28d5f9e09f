/** What a person may say. Loads without cdk8s, in a browser, a command line or a service. */

// Documents: from what a person writes to what the platform can lean on.
export {
  complete,
  examine,
  type Completed,
  type Examined,
  type Input,
  type Metadata,
  type PlatformDocument,
  type Workload,
} from './complete';
export { choicesAt, schemaOf, type Spec, type SpecInput } from './schemas';
export {
  isPlatformKind,
  isWorkloadKind,
  nativeKinds,
  pinionKinds,
  platformKinds,
  workloadKinds,
  type KindNames,
  type NativeKind,
  type PinionKind,
  type PlatformKind,
  type WorkloadKind,
} from './kinds';
export {
  apiVersion,
  deploymentKeys,
  environmentPrefix,
  group,
  keys,
  manager,
  recommended,
  reservedPrefix,
  version,
  canaryReport,
} from './names';
export { tagKeys } from './machine-tags';
export {
  examineWorkflow,
  isWorkflow,
  notOfType,
  unknownProperty,
  type Workflow,
  type WorkflowInput,
} from './examine-workflow';
export { parseProperty, readProperty, type PropertyType, type PropertyValue } from './property';
export { workflowKind } from './workflow';
export { ownedPodFields, type OpenPodSpec, type PodTemplate } from './pod-template';
export { trainingRoles } from './training-job';
export { addressRange } from './workload-fields';
export { imageProblems } from './image';

// Derived from the schemas: definitions for the API server, and what a person writes as spec, an interface for each kind.
export { crdOf, type NamedDefinition } from './crd';
export { kindSummaries } from './kind-summaries';
export { type Status } from './status';
export type {
  PinterestCronJobSpec,
  PinterestDaemonSpec,
  PinterestJobSetSpec,
  PinterestServiceSpec,
  PinterestStatefulSetSpec,
  PinterestTrainingJobSpec,
  PlatformSpec,
  ProjectSpec,
  RuntimeProfileSpec,
} from './inputs.generated';

// Problems: what is wrong, why, and what to do.
export {
  explainProblem,
  formatPath,
  formatValue,
  isError,
  problemCodes,
  ProblemsError,
  type FieldPath,
  type Problem,
  type ProblemCode,
  type Source,
} from './problem';
export { nearest } from './nearest';
export { schemaProblems } from './schema-problems';
export { celValue, evaluateCel, type Rule } from './rule';

// Values: parsed once, exactly, and printed one way.
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  parseQuantity,
  roundUpQuantity,
  scaleQuantity,
  type Quantity,
} from './quantity';
export {
  addAmounts,
  amountsBeyond,
  amountsOf,
  largerAmounts,
  largerQuantity,
  numberOf,
  smallerAmounts,
  type Amounts,
} from './amounts';
export { bytesText } from './bytes-text';
export { formatDuration, parseDuration, wholeSeconds, type Duration } from './duration';
export { parseGoDuration } from './go-duration';
export { formatCron, neverFires, parseCron, type Cron } from './cron';
export { shortestInterval } from './cron-interval';
export { isTimeZone } from './time-zone';
export { isQuotaResource } from './quota-resource';
export { isPlainObject } from './plain-object';
export { discreet, isPrivate } from './discreet';
export { entriesAt, numberAt, textAt, valueAt } from './value-at';
export { conditionOf, conditionsIn, isObserved, isWorkloadReady, trueCondition, type Condition } from './conditions';
export { withoutMember } from './without-member';

// Kubernetes' own types: names, structure and checks.
export { checkNative, isTypeName, structureOf, type KubernetesVersion, type TypeName } from './native';
export type {
  Affinity,
  ConfigMapEnvSource,
  Container,
  ContainerPort,
  EnvVar,
  EnvVarSource,
  LabelSelector,
  ObjectMeta,
  PersistentVolumeClaim,
  PodSpec,
  PodTemplateSpec,
  Probe,
  ResourceRequirements,
  SecurityContext,
  Toleration,
  TopologySpreadConstraint,
  Volume,
  VolumeMount,
} from './native';
