/**
 * Typed workload manifests, expanded to Kubernetes objects by the rules of a platform.
 *
 * ```ts
 * const workload = parseManifest({ apiVersion, kind: 'PinterestService', metadata: { name: 'cart', namespace: 'shop' }, spec });
 * const objects = expand(workload, resolvePlatform([]).project('shop'));
 * ```
 *
 * @packageDocumentation
 */

// Manifests: parsing and validation.
export {
  apiVersion,
  parseManifest,
  safeParseManifest,
  explainProblem,
  isError,
  ProblemsError,
  type Manifest,
  type ManifestInput,
  type PlatformManifest,
  type Problem,
  type SpecInput,
  type Workload,
} from './api';

// Expansion to Kubernetes objects.
export {
  safeExpand,
  expand,
  resolvePlatform,
  type PlatformContext,
  type KubernetesObject,
  type ProjectContext,
} from './expand';

// Installation: CRDs, the controller with its RBAC permissions, and admission policies.
export {
  clientMonitorPorts,
  gatewayName,
  installManifests,
  uninstallManifests,
  type InstallOptions,
  type UninstallOptions,
} from './expand';

// Programs: manifests of the submission service, the quota monitor and the canary, with their RBAC permissions.
export {
  safeParseSubmissionSettings,
  canaryManifests,
  canaryVariableProblems,
  canarySandbox,
  canaryProject,
  isWithinLocation,
  submissionFileProblems,
  submissionManifests,
  submissionName,
  submissionProject,
  submissionStatusPort,
  quotaMonitorManifests,
  quotaMonitorVariableProblems,
  quotaMonitorProject,
  type CanaryOptions,
  type CanarySubmission,
  type SubmissionSettingsResult,
  type SubmissionOptions,
  type SubmissionInput,
  type QuotaMonitorOptions,
} from './programs';

// Capacity: control plane and node groups for a given load; stacks use the same plan as the command line.
export {
  admissionProblems,
  autoscalerBounds,
  autoscalerFlags,
  safePlanCapacity,
  instanceTypes,
  ownedFlagProblem,
  ownedFlags,
  planCapacity,
  type InstanceType,
  type AutoscalerBounds,
  type LoadInput as CapacityInput,
  type CapacityPlan,
} from './capacity';

// Observability: Prometheus rules and Grafana dashboards, as objects or as data.
export {
  dashboardConfigMaps,
  dashboards,
  observabilityManifests,
  podMonitors,
  prometheusRules,
  ruleConfigMap,
  ruleFile,
  ruleForms,
  type Dashboard,
  type ObservabilityOptions,
  type RuleForm,
  type RuleOptions,
} from './observability';

// etcd: contents of a database file or snapshot.
export {
  analyze as analyzeEtcd,
  compareContents as compareEtcd,
  flameHtml as etcdFlameHtml,
  buildFrames as etcdFrames,
  type AnalyzeResult as AnalyzedEtcd,
  type AnalyzeOptions as AnalyzeEtcdOptions,
  type ContentsDifference as EtcdDifference,
  type DatabaseFile,
  type EtcdContents,
  type AnalyzedDatabase as ReadEtcd,
} from './etcd';

// Constructs for cdk8s charts.
export {
  Observability,
  PinionInstall,
  PinterestCronJob,
  PinterestDaemon,
  PinterestJobSet,
  PinterestService,
  PinterestStatefulSet,
  PinterestTrainingJob,
  Platform,
  PlatformApp,
  Project,
  RuntimeProfile,
  SharedConfig,
  setEmit,
  type ConnectionOptions,
  type Emit,
  type ObservabilityProps,
  type PinionInstallProps,
  type PinterestCronJobProps,
  type PinterestDaemonProps,
  type PinterestJobSetProps,
  type PinterestServiceProps,
  type PinterestServiceReferenceProps,
  type PinterestStatefulSetProps,
  type PinterestStatefulSetReferenceProps,
  type PinterestTrainingJobProps,
  type PlatformAppProps,
  type PlatformProps,
  type ProjectProps,
  type RuntimeProfileProps,
  type SharedConfigProps,
  type SynthSummary,
  type UrlOptions,
} from './constructs';
