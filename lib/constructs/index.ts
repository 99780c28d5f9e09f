/** The synth door: one class per kind, which only places objects in the tree of a cdk8s app. */
export { setEmit, type Emit } from './emit';
export { Observability, type ObservabilityProps } from './observability';
export { PinionInstall, type PinionInstallProps } from './pinion-install';
export { PinterestCronJob, type PinterestCronJobProps } from './pinterest-cron-job';
export { PinterestDaemon, type PinterestDaemonProps } from './pinterest-daemon';
export { PinterestJobSet, type PinterestJobSetProps } from './pinterest-job-set';
export { PinterestService, type PinterestServiceProps } from './pinterest-service';
export { PinterestStatefulSet, type PinterestStatefulSetProps } from './pinterest-stateful-set';
export { PinterestTrainingJob, type PinterestTrainingJobProps } from './pinterest-training-job';
export { Platform, type PlatformProps } from './platform';
export { Project, type ProjectProps } from './project';
export { RuntimeProfile, type RuntimeProfileProps } from './runtime-profile';
export { PlatformApp, type PlatformAppProps, type SynthSummary } from './platform-app';
