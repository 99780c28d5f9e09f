/** Entry point at synth: one class per kind, which only adds objects to the tree of a cdk8s app. */
export { setEmit, type Emit } from './emit';
export { Observability, type ObservabilityProps } from './observability';
export { PinionInstall, type PinionInstallProps } from './pinion-install';
export { PinterestCronJob, type PinterestCronJobProps } from './kinds/pinterest-cron-job';
export { PinterestDaemon, type PinterestDaemonProps } from './kinds/pinterest-daemon';
export { PinterestJobSet, type PinterestJobSetProps } from './kinds/pinterest-job-set';
export { PinterestService, type PinterestServiceProps } from './kinds/pinterest-service';
export { PinterestStatefulSet, type PinterestStatefulSetProps } from './kinds/pinterest-stateful-set';
export { PinterestTrainingJob, type PinterestTrainingJobProps } from './kinds/pinterest-training-job';
export { Platform, type PlatformProps } from './platform';
export { Project, type ProjectProps } from './project';
export { RuntimeProfile, type RuntimeProfileProps } from './runtime-profile';
export { PlatformApp, type PlatformAppProps, type SynthSummary } from './platform-app';
