/** Manifests and settings of the platform's programs; the programs themselves are not loaded. */

// The submission service.
export {
  submissionManifests,
  submissionName,
  submissionProject,
  submissionStatusPort,
  type SubmissionOptions,
} from './submission-manifests';
export {
  safeParseSubmissionSettings,
  type SubmissionSettingsResult,
  type SubmissionInput,
  type SubmissionSettings,
} from './submission-settings';
export { defaultLimits, type Limits } from './server-limits';
export {
  safeParseIdentitySettings,
  type IdentityInput,
  type IdentitySettings,
  type IssuerSettings,
  type ServiceAccountSettings,
  type SessionSettings,
} from './identity-settings';
export { submissionFileProblems, defaultSecretFolder } from './submission-file-problems';
export { isLoopback, isWebhook } from './secure-url';
export { isWithinLocation } from './is-within-location';

// The canary.
export {
  canaryDeploymentPaths,
  canaryName,
  canaryNativeKinds,
  canaryManifests,
  canarySandbox,
  canaryProject,
  canaryStage,
  type CanaryOptions,
  type CanarySubmission,
} from './canary-manifests';

// The quota monitor.
export { quotaMonitorManifests, quotaMonitorProject, type QuotaMonitorOptions } from './quota-monitor-manifests';

// Environment variables of the canary and the quota monitor, and their validation.
export { canaryVariables, quotaMonitorVariables } from './variables';
export { canaryVariableProblems, quotaMonitorVariableProblems, type EnvironmentVariables } from './variable-problems';

// Validation of all of them.
export { programProblems } from './program-problems';
export { publicIssuerOf } from './public-issuer';
