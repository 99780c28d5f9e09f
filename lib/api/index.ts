/**
 * Schemas, validation and values of manifests. Loads without cdk8s, in a browser, a command or a service.
 *
 * @packageDocumentation
 */

// Manifests: parsing and validation.
export {
  parseManifest,
  safeParseManifest,
  type Manifest,
  type ManifestResult,
  type ManifestInput,
  type Metadata,
  type PlatformManifest,
  type Workload,
} from './manifest/parse-manifest';
export { validFieldsOfWorkload } from './manifest/valid-workload';
export { choicesAt, type SpecInput } from './schemas';
export {
  isPlatformKind,
  pinionKinds,
  platformKinds,
  type PinionKind,
  type PlatformKind,
  type Spec,
  type Status,
} from './kinds/kinds';
export {
  isRunKind,
  isWorkloadKind,
  kindsWith,
  locatedImagesOf,
  podTemplatesOf,
  traitsOf,
  workloadKinds,
  type RunKind,
  type WorkloadKind,
  type WorkloadKindWith,
} from './kinds/workload-kinds';
export {
  type KindDefinition,
  type KindNames,
  type LocatedImage,
  type LocatedPodTemplate,
  type WorkloadKindDefinition,
  type WorkloadTraits,
} from './kinds/kind-definition';
export { type ApiAccess } from './fields/api-access';
export { builtInWaves, type RolloutPolicy } from './fields/rollout-policy';
export { maxProjectRevisions, podSecurityLevels } from './kinds/project';
export { rolloutPhases, type RolloutPhase } from './kinds/platform-rollout';
export { standardApiBudgets, type ApiBudgetLimits, type ApiBudgetSubject } from './fields/api-budget';
export { hooksOf, type DeploymentHook } from './fields/before-deployment';
export { isProtectedStage } from './kinds/project-stage-rules';
export { nativeKinds, type NativeKind } from './native-kinds';
export {
  apiVersion,
  deploymentKeys,
  environmentPrefix,
  gatewayAudience,
  gatewayAuthority,
  gatewayNamespace,
  gatewayPort,
  group,
  metadataKeys,
  platformFileName,
  ownProgramProjects,
  manager,
  recommended,
  reservedPrefix,
  version,
  canaryReport,
} from './names';
export { tagKeys } from './machine-tags';
export {
  safeParseWorkflow,
  isWorkflow,
  notOfType,
  unknownProperty,
  type Workflow,
  type WorkflowInput,
} from './manifest/safe-parse-workflow';
export { parseProperty, readProperty, type PropertyType, type PropertyValue } from './schema/property';
export { workflowKind } from './manifest/workflow';
export { patchableFields, patchableKinds, type PatchableKind } from './fields/patchable-fields';
export { holdsSecretText, isSecretSetting, secretInSetting } from './rules/literal-secret';
export { sharedDataProblems, sharedVariableProblems } from './rules/shared-data';
export { isPlatformKey } from './rules/workload-rules';
export { ownedPodFields, type OpenPodSpec, type PodTemplate, type PodTemplateInput } from './fields/pod-template';
export { trainingRoles } from './kinds/pinterest-training-job';
export { addressRange } from './fields/workload-fields';
export { imageProblems } from './values/image';
export { isUnsafeAnnotation, unsafeAnnotationAdvice, unsafeAnnotationPattern } from './values/ingress-annotation';

// Derived from the schemas: CRDs, and an interface for the spec of each kind.
export { crdOf, type NamedDefinition } from './crd/crd';
export type {
  PinterestCronJobSpec,
  PinterestDaemonSpec,
  PinterestJobSetSpec,
  PinterestServiceSpec,
  PinterestStatefulSetSpec,
  PinterestTrainingJobSpec,
  PlatformRevisionSpec,
  PlatformRolloutSpec,
  PlatformSpec,
  ProjectSpec,
  RuntimeProfileSpec,
} from './inputs.generated';

// Problems: path, value, reason and fix.
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
export { escapeRegExp } from './values/escape-reg-exp';
export { splitImage } from './values/image-reference';
export { nearest } from './values/nearest';
export { schemaProblems } from './schema/schema-problems';
export { textForm } from './schema/text-form';
export { celError, celValue, evaluateCel, type ValidationRule, type RuleViolation } from './rules/validation-rule';

// Values: exact parsing and one form of output.
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  parseQuantity,
  roundUpQuantity,
  scaleQuantity,
  type Quantity,
} from './values/quantity';
export {
  addAmounts,
  amountsBeyond,
  amountsOf,
  largerAmounts,
  largerQuantity,
  numberOf,
  smallerAmounts,
  type ResourceList,
} from './values/resource-list';
export { bytesText } from './values/bytes-text';
export { formatDuration, parseDuration, wholeSeconds, type Duration } from './values/duration';
export { parseGoDuration } from './values/go-duration';
export { formatCron, neverFires, parseCron, type CalendarCron, type Cron } from './values/cron';
export { shortestInterval } from './values/cron-interval';
export { isTimeZone } from './values/time-zone';
export { includesRole, projectRoles, rolesIncluding, type ProjectRole } from './values/project-role';
export { isQuotaResource } from './values/quota-resource';
export { isPlainObject } from './values/plain-object';
export { redactProblem, isSensitivePath } from './manifest/redact-problem';
export { entriesAt, numberAt, textAt, valueAt } from './values/value-at';
export {
  conditionOf,
  conditionsIn,
  isObserved,
  isWorkloadReady,
  trueCondition,
  type Condition,
} from './values/conditions';
export { withoutMember } from './values/without-member';

// Kubernetes' own types: names, structure and checks.
export {
  checkNative,
  isTypeName,
  structureOf,
  type KubernetesVersion,
  type NativeObjectOf,
  type TypeName,
} from './native';
export type {
  Affinity,
  ConfigMapEnvSource,
  Container,
  ContainerPort,
  EnvVar,
  EnvVarSource,
  PodFailurePolicyRule,
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
