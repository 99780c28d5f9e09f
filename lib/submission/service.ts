import {
  type Approval,
  type ApprovalRequest,
  type Caller,
  type Change,
  type ClusterRolloutsView,
  type DeploymentPreview,
  type Deployment,
  type DeploymentEvent,
  type DeployRequest,
  type DeploymentDiff,
  type Page,
  type ProjectClientsView,
  type ProjectView,
  type RollBackRequest,
  type VersionView,
  type WorkloadDetail,
  type WorkloadView,
} from '../contract';

/** Page of a list. */
export interface Paging {
  readonly limit: number;
  /** Key at which the previous page ended. */
  readonly after?: string | undefined;
}

/** Caller and idempotency key; the same key with the same request returns the same deployment. */
export interface IdempotentRequest {
  readonly caller: Caller;
  readonly idempotencyKey: string;
}

/** Options of a stream, which ends when its signal is aborted. */
export interface StreamOptions {
  readonly signal: AbortSignal;
}

/**
 * Operations for authenticated callers; the HTTP server has checked only identity, schema and limits.
 *
 * Each method authorizes the caller, and throws a `ProblemResponse` if something is missing or not allowed. What a caller
 * may not see is reported like something that does not exist.
 */
export interface SubmissionService {
  projects(caller: Caller, paging: Paging): Promise<Page<ProjectView>>;
  /** Returns the clients of the caller's projects; members of the platform team see those of all. */
  clients(caller: Caller, paging: Paging): Promise<Page<ProjectClientsView>>;
  /** Returns the rollouts of every cluster, for all callers; workloads of projects that a caller may not see are only counted. */
  rollouts(caller: Caller, paging: Paging): Promise<Page<ClusterRolloutsView>>;
  workloads(
    caller: Caller,
    query: Paging & { readonly project?: string | undefined; readonly target?: string | undefined },
  ): Promise<Page<WorkloadView>>;
  workload(
    caller: Caller,
    query: { readonly project: string; readonly target: string; readonly kind: string; readonly name: string },
  ): Promise<WorkloadDetail>;
  versions(
    caller: Caller,
    query: Paging & { readonly project: string; readonly workflow?: string | undefined },
  ): Promise<Page<VersionView>>;
  preview(caller: Caller, request: DeployRequest): Promise<DeploymentPreview>;
  deploy(idempotentRequest: IdempotentRequest, request: DeployRequest): Promise<Deployment>;
  rollBack(idempotentRequest: IdempotentRequest, request: RollBackRequest): Promise<Deployment>;
  cancel(caller: Caller, id: string): Promise<Deployment>;
  approve(caller: Caller, request: ApprovalRequest): Promise<Approval>;
  deployments(
    caller: Caller,
    query: Paging & {
      readonly project?: string | undefined;
      readonly workflow?: string | undefined;
      readonly stage?: string | undefined;
    },
  ): Promise<Page<Deployment>>;
  deployment(caller: Caller, id: string): Promise<Deployment>;
  /** Returns what a started deployment changes compared to what was Ready before it. */
  diff(caller: Caller, id: string): Promise<DeploymentDiff>;
  /** Streams the events after a number, and new ones until the deployment ends. */
  follow(caller: Caller, id: string, after: number, options: StreamOptions): Promise<AsyncIterable<DeploymentEvent>>;
  /** Streams changes from now on; a slow reader receives only the newest state of each item. */
  changes(
    caller: Caller,
    query: { readonly project?: string | undefined },
    options: StreamOptions,
  ): Promise<AsyncIterable<Change>>;
  /** Returns why it cannot serve requests now; undefined if it can. */
  unready(): string | undefined;
  /** Returns the names of the projects of which a caller is a member on at least one cluster. */
  projectsOf(caller: Caller): readonly string[];
}
