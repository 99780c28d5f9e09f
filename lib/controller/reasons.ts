/** Owner of a cause: who can fix an unhealthy workload. */
export type CauseOwner = 'platform' | 'application' | 'quota' | 'capacity';

/**
 * Reasons of causes with their possible owners; docs/reasons.md documents each.
 *
 * For objects that the Platform creates for itself, the owner is the platform instead of the application. A failed run
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
  HookFailed: ['application'],

  Unverified: ['application', 'platform'],
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

/** Machine-readable reason why a workload is not ready. */
export type CauseReason = keyof typeof causeReasons;

/** Reason together with one of its possible owners. */
export type ReasonWithOwner<R extends CauseReason = CauseReason> = {
  [Reason in R]: { readonly owner: (typeof causeReasons)[Reason][number]; readonly reason: Reason };
}[R];

/** Reasons of failed runs that span several Jobs. */
export const runReasons = [
  'DeadlineExceeded',
  'FailedShards',
  'JobDeleted',
  'JobFailed',
  'MaxFailedShardsExceeded',
  'Superseded',
] as const;

/** Machine-readable reason why a run failed, if its Job does not report one. */
export type RunReason = (typeof runReasons)[number];

/** Reasons of failed runs from batch/v1, which are reported unchanged. */
export const jobReasons = [
  'BackoffLimitExceeded',
  'DeadlineExceeded',
  'FailedIndexes',
  'MaxFailedIndexesExceeded',
  'PodFailurePolicy',
] as const;

/** Reasons of conditions that are neither those of a cause nor those of a failed run. */
export const conditionReasons = [
  'Applied',
  'Applying',
  'Available',
  'Completed',
  'FailedCreate',
  'GangPending',
  'HookRunning',
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
  'AbortRequested',
  'Adopted',
  'ApprovalRemoved',
  'ApprovalRequired',
  'BreakGlass',
  'Completed',
  'Created',
  'Deleted',
  'DriftCorrected',
  'EmergencyChanged',
  'EmergencyEnded',
  'EmergencyStarted',
  'ExpansionDiffers',
  'Failed',
  'GangTimedOut',
  'HookStarted',
  'HooksSucceeded',
  'ImpactApproved',
  'PauseRequested',
  'Ready',
  'Replaced',
  'Restarted',
  'Resumed',
  'RevisionIgnored',
  'RollbackRequested',
  'RolledBack',
  'RolloutAborted',
  'RolloutCompleted',
  'RolloutFailed',
  'RolloutPaused',
  'RolloutProgressing',
  'RolloutStarted',
  'RouteConflict',
  'RuntimeProfileChanged',
  'Scaling',
  'Started',
  'Suspended',
  'Updated',
  'Verified',
] as const;

/** Machine-readable reason of an Event. */
export type EventReason = (typeof eventReasons)[number];
