/** Who can do something about it when a workload is not well. */
export type CauseOwner = 'platform' | 'application' | 'quota' | 'capacity';

/**
 * Every reason of a cause, with its possible owners; docs/reasons.md documents each.
 *
 * What the Platform makes for itself has the platform as owner where a workload has the application. A run that failed
 * has one of the run's reasons.
 */
export const causeReasons = {
  InvalidSpec: ['application'],
  NameConflict: ['application'],
  DestructiveChangeBlocked: ['application'],
  SelectorMismatch: ['application'],
  Rejected: ['application'],
  QuotaRequiresResources: ['application'],
  LimitRange: ['application'],
  PodSecurity: ['application'],
  PolicyDenied: ['application'],
  ServiceAccountNotFound: ['application'],
  PVCNotFound: ['application'],
  PlacementRules: ['application'],
  HostPortConflict: ['application'],
  ProgressDeadlineExceeded: ['application'],

  NoMatchingNode: ['application', 'platform'],
  InvalidImageName: ['application', 'platform'],
  ImageMissing: ['application', 'platform'],
  ImageSignature: ['application', 'platform'],
  ImagePullUnauthorized: ['application', 'platform'],
  ImageNotFound: ['application', 'platform'],
  ImageNotPulled: ['application', 'platform'],
  ReferenceNotFound: ['application', 'platform'],
  RunAsNonRootViolation: ['application', 'platform'],
  CommandNotFound: ['application', 'platform'],
  CommandNotExecutable: ['application', 'platform'],
  WrongArchitecture: ['application', 'platform'],
  ContainerCannotRun: ['application', 'platform'],
  ContainerWaiting: ['application', 'platform'],
  InitCrashLoop: ['application', 'platform'],
  SidecarCrashLoop: ['application', 'platform'],
  AppCrashLoop: ['application', 'platform'],
  OOMKilled: ['application', 'platform'],
  NotReady: ['application', 'platform'],

  InvalidPlatform: ['platform'],
  SidecarNotReady: ['platform'],
  VolumeExpansionUnsupported: ['platform'],
  ClaimLost: ['platform'],
  VolumeNotBound: ['platform'],
  RegistryLimits: ['platform'],
  RegistryUnreachable: ['platform'],
  QuotaNotReady: ['platform'],
  WebhookUnavailable: ['platform'],
  PriorityClassNotFound: ['platform'],
  RuntimeClassNotFound: ['platform'],
  NamespaceTerminating: ['platform'],
  NodesCordoned: ['platform'],
  NodeLost: ['platform'],
  SchedulingGated: ['platform'],
  Unschedulable: ['platform'],
  NotScheduled: ['platform'],
  StartsSlowly: ['platform'],
  APIServerError: ['platform'],
  ControllerForbidden: ['platform'],

  QuotaExceeded: ['quota'],

  NoNodes: ['capacity'],
  InsufficientCpu: ['capacity'],
  InsufficientMemory: ['capacity'],
  InsufficientAccelerators: ['capacity'],
  InsufficientCapacity: ['capacity'],
  VolumeNodeAffinityConflict: ['capacity'],
  GangPending: ['capacity'],
} as const satisfies Readonly<Record<string, readonly CauseOwner[]>>;

/** Why a workload is not ready, in one word for programs. */
export type CauseReason = keyof typeof causeReasons;

/** A reason together with an owner that it can have. */
export type Charge<R extends CauseReason = CauseReason> = {
  [Reason in R]: { readonly owner: (typeof causeReasons)[Reason][number]; readonly reason: Reason };
}[R];

/** Why a run failed, in the words of what lies across its Jobs. */
export const runReasons = [
  'DeadlineExceeded',
  'FailedShards',
  'JobDeleted',
  'JobFailed',
  'MaxFailedShardsExceeded',
  'Superseded',
] as const;

/** Why a run failed, in one word for programs, where its Job does not say it. */
export type RunReason = (typeof runReasons)[number];

/** Why a run failed, in the words of batch/v1, which are reported as they are. */
export const jobReasons = [
  'BackoffLimitExceeded',
  'DeadlineExceeded',
  'FailedIndexes',
  'MaxFailedIndexesExceeded',
  'PodFailurePolicy',
] as const;

/** Every reason of a condition that is neither that of a cause nor that of a run which failed. */
export const conditionReasons = [
  'Applied',
  'Applying',
  'Available',
  'Completed',
  'FailedCreate',
  'GangPending',
  'Invalid',
  'InvalidPlatform',
  'RolloutInProgress',
  'Running',
  'Scheduled',
  'Starting',
  'Succeeded',
  'Suspended',
  'Terminating',
  'Unknown',
  'Valid',
] as const;

/** Reason of a condition without a cause. */
export type ConditionReason = (typeof conditionReasons)[number];

/** Reasons of Events other than those of a cause or a condition. */
export const eventReasons = [
  'Adopted',
  'Completed',
  'Created',
  'Deleted',
  'DriftCorrected',
  'Failed',
  'GangTimedOut',
  'Ready',
  'Replaced',
  'Restarted',
  'Resumed',
  'RolloutStarted',
  'RuntimeProfileChanged',
  'Scaling',
  'Started',
  'Suspended',
  'Updated',
] as const;

/** What happened, in one word for programs. */
export type EventReason = (typeof eventReasons)[number];
