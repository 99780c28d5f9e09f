/** The platform's own programs as objects: what they are told, and what runs them. Nothing of the programs themselves is loaded. */

// The submission service.
export {
  clusterRights,
  serviceObjects,
  submissionName,
  submissionProject,
  type ServiceOptions,
} from './service-objects';
export {
  examineSubmission,
  type ExaminedSubmission,
  type SubmissionInput,
  type SubmissionSettings,
} from './submission-settings';
export {
  examineIdentity,
  type IdentityInput,
  type IdentitySettings,
  type IssuerSettings,
  type ServiceAccountSettings,
  type SessionSettings,
} from './identity-settings';
export { isLoopback } from './secure-url';

// The watcher of quotas.
export { watchName, watchObjects, watchProject, type WatchOptions } from './watch-objects';
