/** Entry point at synth: one class per kind, which only adds objects to the tree of a cdk8s app. */
export { setEmit, type Emit } from './emit';
export { Observability, type ObservabilityProps } from './observability';
export { PinionInstall, type PinionInstallProps } from './pinion-install';
export { PinterestCronJob, type PinterestCronJobProps } from './kinds/pinterest-cron-job';
export { PinterestDaemon, type PinterestDaemonProps } from './kinds/pinterest-daemon';
export { PinterestJobSet, type PinterestJobSetProps } from './kinds/pinterest-job-set';
export {
  PinterestService,
  type PinterestServiceProps,
  type PinterestServiceReferenceProps,
} from './kinds/pinterest-service';
export {
  PinterestStatefulSet,
  type PinterestStatefulSetProps,
  type PinterestStatefulSetReferenceProps,
} from './kinds/pinterest-stateful-set';
export { PinterestTrainingJob, type PinterestTrainingJobProps } from './kinds/pinterest-training-job';
export { Platform, type PlatformProps } from './platform';
export { Project, type ProjectProps } from './project';
export { RuntimeProfile, type RuntimeProfileProps } from './runtime-profile';
export { SharedConfig, type SharedConfigProps } from './shared-config';
export { type UrlOptions } from './serving-construct';
export { type ConnectionOptions } from './workload-construct';
export { PlatformApp, type PlatformAppProps, type SynthSummary } from './platform-app';
