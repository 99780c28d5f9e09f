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
} from '../../contract';
import { type Clock } from '../../kube';
import { type IdempotentRequest, type StreamOptions, type SubmissionService } from '../service';
import { type ConfigMapState } from '../state/config-map-state';
import { createDeploymentRecord, isFinal, type DeploymentRecord } from '../state/deployment-record';
import { type LedgerEntry } from '../state/project-ledger';
import { type DeploymentTarget } from '../targets/deployment-target';
import { DeploymentAdmission, hashOf } from './deployment-admission';
import { approveArtifact, cancelDeployment } from './consent';
import { diffDeployment } from './diff-deployment';
import { reconcileAll } from './reconcile-all';
import { VisibleInventory } from './inventory';
import { changeStream } from './change-stream';
import { withCleanup, LiveStream } from './live-stream';
import { Visibility } from './visibility';
import { versionBefore } from './version-before';
import { type AuthorizerOptions } from './workload-authorizer';

/** Dependencies of the engine. */
export interface EngineOptions extends AuthorizerOptions {
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, DeploymentTarget>;
  readonly clock: Clock;
  readonly onEnd: (deployment: Deployment) => void;
  readonly onBreakGlass: (deployment: Deployment, caller: Caller) => void;
  readonly onError: (error: unknown, project: string) => void;
}

/** Implementation of the service, independent of HTTP. */
export class SubmissionEngine implements SubmissionService {
  private readonly admission: DeploymentAdmission;
  private readonly visibility: Visibility;
  private readonly inventory: VisibleInventory;

  constructor(private readonly options: EngineOptions) {
    this.admission = new DeploymentAdmission(options);
    this.visibility = new Visibility(options);
    this.inventory = new VisibleInventory({ ...options, visibility: this.visibility });
  }

  /** Reconciles all deployments until the signal is aborted, in one process at a time. */
  lead(signal: AbortSignal): Promise<void> {
    const fitsQuota = (project: string, entry: LedgerEntry) => this.admission.fitsQuota(project, entry);
    const deniedNow = (project: string, entry: LedgerEntry) => this.admission.deniedNow(project, entry);
    return reconcileAll({ ...this.options, fitsQuota, deniedNow }, signal);
  }

  unready(): string | undefined {
    if (!this.options.state.hasSynced()) return 'deployments in progress are not loaded yet';
    // An unreachable cluster does not affect the others.
    const reasons = [...this.options.targets.values()].map((target) => target.unready());
    return reasons.includes(undefined) ? undefined : reasons[0];
  }

  projectsOf(caller: Caller): readonly string[] {
    return [...new Set(this.visibility.memberships(caller).map(({ project }) => project.metadata.name))];
  }

  async projects(...args: Parameters<SubmissionService['projects']>): Promise<Page<ProjectView>> {
    return this.inventory.projects(...args);
  }

  async clients(...args: Parameters<SubmissionService['clients']>): Promise<Page<ProjectClientsView>> {
    return this.inventory.clients(...args);
  }

  async rollouts(...args: Parameters<SubmissionService['rollouts']>): Promise<Page<ClusterRolloutsView>> {
    return this.inventory.rollouts(...args);
  }

  async workloads(...args: Parameters<SubmissionService['workloads']>): Promise<Page<WorkloadView>> {
    return this.inventory.workloads(...args);
  }

  async workload(...args: Parameters<SubmissionService['workload']>): Promise<WorkloadDetail> {
    return this.inventory.workload(...args);
  }

  versions(...args: Parameters<SubmissionService['versions']>): Promise<Page<VersionView>> {
    return this.inventory.versions(...args);
  }

  async deployments(...args: Parameters<SubmissionService['deployments']>): Promise<Page<Deployment>> {
    return this.inventory.deployments(...args);
  }

  preview(caller: Caller, request: DeployRequest): Promise<DeploymentPreview> {
    return this.admission.preview(caller, request);
  }

  deploy(idempotentRequest: IdempotentRequest, request: DeployRequest): Promise<Deployment> {
    return this.admission.accept(idempotentRequest, request, 'deploy');
  }

  async rollBack(
    idempotentRequest: IdempotentRequest,
    { project, workflow, stage, version }: RollBackRequest,
  ): Promise<Deployment> {
    this.visibility.requireMember(idempotentRequest.caller, project);
    const requestHash = hashOf('rollBack', project, workflow, stage, version ?? '');
    const earlier = this.admission.earlier(idempotentRequest, project, requestHash);
    if (earlier) return earlier;
    const ledger = this.options.state.ledger(project);
    const wanted = versionBefore(ledger, this.visibility.deploymentsOf(project), { project, workflow, stage, version });
    const artifact = `${project}/${workflow}@${wanted}`;
    return this.admission.accept(idempotentRequest, { artifact, stage }, 'rollBack', requestHash);
  }

  async cancel(caller: Caller, id: string): Promise<Deployment> {
    return cancelDeployment(this.options, caller, this.visibility.deployment(caller, id));
  }

  approve(caller: Caller, request: ApprovalRequest): Promise<Approval> {
    return approveArtifact(this.options, caller, request);
  }

  async deployment(caller: Caller, id: string): Promise<Deployment> {
    return this.visibility.deployment(caller, id);
  }

  async diff(caller: Caller, id: string): Promise<DeploymentDiff> {
    return diffDeployment(this.options.artifacts, this.visibility.deployment(caller, id));
  }

  async follow(
    caller: Caller,
    id: string,
    after: number,
    { signal }: StreamOptions,
  ): Promise<AsyncIterable<DeploymentEvent>> {
    const { project } = this.visibility.deployment(caller, id);
    const { state } = this.options;
    const stream = new LiveStream<DeploymentEvent>(signal);
    let last = after;
    const send = (record: DeploymentRecord | undefined): void => {
      if (record && !this.visibility.canSee(caller, record.deployment)) return stream.end();
      for (const event of record?.events ?? [])
        if (event.number > last) {
          last = event.number;
          stream.put(`${event.number}`, event);
        }
      if (record && isFinal(record.deployment.phase)) stream.end();
    };
    const unsubscribers = [
      state.onChange(({ record }) => record?.deployment.id === id && send(record)),
      ...this.onMembershipLost(caller, project, () => stream.end()),
    ];
    const end = (): void => unsubscribers.forEach((one) => void one());
    const entry = state.ledger(project).open.find((one) => one.id === id);
    send(state.record(id) ?? (entry && createDeploymentRecord(project, entry)));
    signal.addEventListener('abort', end, { once: true });
    return withCleanup(stream, end);
  }

  /** Calls back when a caller is no longer a member of a project on any cluster; returns functions that unsubscribe. */
  private onMembershipLost(caller: Caller, project: string, callback: () => void): (() => void)[] {
    return [...this.options.targets.values()].map((target) =>
      target.onChange((change) => {
        if (change.type === 'project' && change.project === project && !this.visibility.isMember(caller, project))
          callback();
      }),
    );
  }

  async changes(
    caller: Caller,
    { project: projectFilter }: Parameters<SubmissionService['changes']>[1],
    { signal }: StreamOptions,
  ): Promise<AsyncIterable<Change>> {
    if (projectFilter !== undefined) this.visibility.requireMember(caller, projectFilter);
    return changeStream({ ...this.options, visibility: this.visibility }, caller, projectFilter, signal);
  }
}
