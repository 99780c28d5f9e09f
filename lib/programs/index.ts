/** The platform's own programs as objects: what they are told, and what runs them. Nothing of the programs themselves is loaded. */

// The submission service.
export {
  serviceObjects,
  submissionName,
  submissionProject,
  submissionStatusPort,
  type ServiceOptions,
} from './service-objects';
export {
  examineSubmissionSettings,
  type ExaminedSubmissionSettings,
  type SubmissionInput,
  type SubmissionSettings,
} from './submission-settings';
export { defaultLimits, type Limits } from './entrance-limits';
export {
  examineIdentity,
  type IdentityInput,
  type IdentitySettings,
  type IssuerSettings,
  type ServiceAccountSettings,
  type SessionSettings,
} from './identity-settings';
export { serviceFileProblems, usualSecretFolder } from './service-files';
export { isLoopback, isWebhook } from './secure-url';
export { liesWithin } from './lies-within';

// The canary.
export {
  canaryDoors,
  canaryName,
  canaryNativeKinds,
  canaryObjects,
  canaryPlayground,
  canaryProject,
  canaryStage,
  type CanaryOptions,
  type CanarySubmission,
} from './canary-objects';

// The watcher of quotas.
export { watchObjects, watchProject, type WatchOptions } from './watch-objects';

// Variables by which canary and watcher are told, and what is wrong with those that somebody gives.
export { canaryVariables, watchVariables } from './variables';
export { canaryVariableProblems, watchVariableProblems, type GivenVariables } from './variable-problems';

// What is wrong with any of them.
export { programProblems } from './program-problems';
