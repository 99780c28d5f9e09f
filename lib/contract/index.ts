/** Deployment API: one schema for the service, its OpenAPI document, the CLI and the page. */
export { allowsDeploying } from './allows-deploying';
export { ServiceClient, type WatchMessage } from './client';
export { type ClientOptions, type ClientTimeouts } from './http-transport';
export { idempotencyKeyPattern, operations, type Operation, type OperationName } from './operations';
export { RetryBackOff, type RetryDelays } from './retry-back-off';
export { EventParser } from './server-sent-events';
export { RequestFailed, ServiceUnreachable } from './service-errors';
export {
  type DeploymentPreview,
  type DeploymentDiff,
  type ProblemDetails,
  type TargetPreview,
} from './preview-schemas';
export {
  finalPhases,
  phases,
  type Approval,
  type ApprovalRequest,
  type Caller,
  type Cause,
  type DeployedWorkload,
  type Deployment,
  type DeploymentEvent,
  type DeployRequest,
  type Phase,
  type RollBackRequest,
} from './deployment-schemas';
export { namedSchemas, type Change } from './schemas';
export { type ProjectClientsView } from './client-schemas';
export {
  type ClusterRolloutsView,
  type RolloutDetail,
  type RolloutSummary,
  type WorkloadRevision,
} from './rollout-schemas';
export { type Page, type ProjectView, type VersionView, type WorkloadDetail, type WorkloadView } from './view-schemas';
