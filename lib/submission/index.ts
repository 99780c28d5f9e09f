/** The job submission service: deploys published artifacts on request, within quota, and tracks them to their end. */

// Engine: admits deployments, and reconciles each to its end.
export { SubmissionEngine, type EngineOptions } from './engine/engine';
export { ArtifactCache, type ArtifactsOptions } from './engine/artifact-cache';

// State and targets: what it stores, and where it deploys to.
export { ConfigMapState } from './state/config-map-state';
export { type StateOptions } from './state/own-config-maps';
export { KubernetesTarget, type KubernetesTargetOptions } from './targets/kubernetes-target';
export {
  type ObjectVersion,
  type DeploymentTarget,
  type TargetChange,
  TargetRejection,
  type WorkloadKey,
} from './targets/deployment-target';

// The interface between the HTTP server and the engine.
export { ProblemResponse, type ProblemResponseDetails } from './problem-response';
export { type IdempotentRequest, type Paging, type StreamOptions, type SubmissionService } from './service';

// The service as a program.
export { runSubmission, submissionExit, type SubmissionProcess } from './run-submission';

// The HTTP server: its OpenAPI document.
export { openApiDocument } from './http/openapi-document';
