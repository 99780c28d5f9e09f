/** What the submission service and its clients say to each other: one schema for the service, its document, the command and the page. */
export { ServiceClient, type Watched } from './client';
export { type ClientOptions, type Patience } from './exchange';
export { idempotencyKeyForm, operations, type Operation, type OperationName } from './operations';
export { type ClientClock } from './pauses';
export { RequestFailed, ServiceUnreachable } from './service-errors';
export {
  finalPhases,
  namedShapes,
  phases,
  type Approval,
  type ApprovalRequest,
  type Caller,
  type Cause,
  type Change,
  type Check,
  type DeployedWorkload,
  type Deployment,
  type DeploymentEvent,
  type DeployRequest,
  type Failure,
  type Page,
  type Phase,
  type ProjectView,
  type RollBackRequest,
  type TargetCheck,
  type VersionView,
  type WorkloadDetail,
  type WorkloadView,
} from './shapes';
