/** What the submission service and its clients say to each other: one schema for the service, its document, the command and the page. */
export { ServiceClient, type Watched } from './client';
export { type ClientOptions, type Patience } from './exchange';
export { idempotencyKeyForm, operations, type Operation, type OperationName } from './operations';
export { type ClientClock } from './pauses';
export { RequestFailed, ServiceUnreachable } from './service-errors';
export { type Check, type Difference, type Failure, type TargetCheck } from './check-shapes';
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
} from './deployment-shapes';
export { namedShapes, type Change } from './shapes';
export { type Page, type ProjectView, type VersionView, type WorkloadDetail, type WorkloadView } from './view-shapes';
