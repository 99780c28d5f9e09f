/**
 * pinion: say what a workload is; the platform says what that means on a cluster.
 *
 * ```ts
 * const workload = complete({ apiVersion, kind: 'PinterestService', metadata: { name: 'cart', namespace: 'shop' }, spec });
 * const objects = expand(workload, resolve([]).project('shop'));
 * ```
 */

// Words: what a person may say, and what is wrong with it.
export {
  apiVersion,
  complete,
  examine,
  explainProblem,
  isError,
  ProblemsError,
  type Completed,
  type Input,
  type PlatformDocument,
  type Problem,
  type SpecInput,
  type Workload,
} from './api';

// Meaning: what the platform makes of it.
export { examineExpansion, expand, resolve, type Cluster, type KubernetesObject, type World } from './expand';

// Installation: definitions, the controller with its computed rights, and the policies of protection.
export { install, uninstall, type InstallOptions, type UninstallOptions } from './expand';

// Programs: the submission service and the watcher of quotas, each as a Project, a workload and its rights.
export {
  examineSubmissionSettings,
  canaryObjects,
  canaryVariableProblems,
  canaryPlayground,
  canaryProject,
  liesWithin,
  serviceFileProblems,
  serviceObjects,
  submissionName,
  submissionProject,
  submissionStatusPort,
  watchObjects,
  watchVariableProblems,
  watchProject,
  type CanaryOptions,
  type CanarySubmission,
  type ExaminedSubmissionSettings,
  type ServiceOptions,
  type SubmissionInput,
  type WatchOptions,
} from './programs';

// Capacity: the control plane and node groups that a load asks for; stacks read the plan that the command line prints.
export {
  admissionProblems,
  autoscalerBounds,
  autoscalerFlags,
  examineCapacity,
  instanceTypes,
  ownedFlagProblem,
  ownedFlags,
  planCapacity,
  type InstanceType,
  type AutoscalerBounds,
  type LoadInput as CapacityInput,
  type Plan as CapacityPlan,
} from './capacity';

// Rules of Prometheus and dashboards of Grafana, as objects or as data.
export {
  dashboardConfigMaps,
  dashboards,
  observabilityObjects,
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

// etcd: what a database file or a snapshot holds, for reports and checks of one's own; wire formats are withheld.
export {
  analyze as analyzeEtcd,
  compareContents as compareEtcd,
  flameHtml as etcdFlameHtml,
  framesOf as etcdFrames,
  type Analyzed as AnalyzedEtcd,
  type AnalyzeOptions as AnalyzeEtcdOptions,
  type ContentsDifference as EtcdDifference,
  type DatabaseBytes,
  type EtcdContents,
  type Read as ReadEtcd,
} from './etcd';

// Door one: the same thing inside a chart.
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
  setEmit,
  type Emit,
  type ObservabilityProps,
  type PinionInstallProps,
  type PinterestCronJobProps,
  type PinterestDaemonProps,
  type PinterestJobSetProps,
  type PinterestServiceProps,
  type PinterestStatefulSetProps,
  type PinterestTrainingJobProps,
  type PlatformAppProps,
  type PlatformProps,
  type ProjectProps,
  type RuntimeProfileProps,
  type SynthSummary,
} from './constructs';
