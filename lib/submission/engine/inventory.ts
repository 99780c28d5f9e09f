import {
  type Caller,
  type ClusterRolloutsView,
  type Deployment,
  type Page,
  type ProjectClientsView,
  type ProjectView,
  type VersionView,
  type WorkloadDetail,
  type WorkloadView,
} from '../../contract';
import { type Clock } from '../../kube';
import { dayAt } from '../../quota';
import { ProblemResponse } from '../problem-response';
import { roleOf } from '../authorization';
import { type Paging, type SubmissionService } from '../service';
import { type DeploymentTarget } from '../targets/deployment-target';
import { withStoreErrors, type ArtifactCache } from './artifact-cache';
import { clusterRolloutsView } from './cluster-rollouts-view';
import { newestFirst, paged } from './paged';
import { projectClientsView } from './project-clients-view';
import { projectView } from './project-view';
import { notFound, type Visibility } from './visibility';
import { workloadDetail, createWorkloadView } from './workload-view';

/** Dependencies of the inventory. */
interface InventorySources {
  readonly artifacts: ArtifactCache;
  readonly targets: ReadonlyMap<string, DeploymentTarget>;
  readonly clock: Clock;
  readonly visibility: Visibility;
}

/** Inventory that is visible to the caller; throws a `ProblemResponse` for anything else. */
export class VisibleInventory {
  constructor(private readonly sources: InventorySources) {}

  /** Returns the projects of the caller, one entry per cluster. */
  projects(caller: Caller, paging: Paging): Page<ProjectView> {
    const found = this.sources.visibility
      .memberships(caller)
      .map(
        ({ target, project, role }) =>
          [
            `${project.metadata.name}/${target.name}`,
            () => projectView(target, project, role, this.sources.clock.now()),
          ] as const,
      );
    const { items, next } = paged(found, paging);
    return { items: items.map((view) => view()), ...(next !== undefined && { next }) };
  }

  /** Returns the clients of the caller's projects, one entry per cluster; of all projects on clusters whose platform team the caller is in. */
  clients(caller: Caller, paging: Paging): Page<ProjectClientsView> {
    const today = dayAt(this.sources.clock.now());
    const found = this.sources.visibility
      .clientProjects(caller)
      .map(
        ({ target, project }) =>
          [`${project}/${target.name}`, () => projectClientsView(target, project, today)] as const,
      );
    const { items, next } = paged(found, paging);
    return { items: items.map((view) => view()), ...(next !== undefined && { next }) };
  }

  /** Returns the rollouts of every cluster; names workloads of the caller's projects, and of all for the platform team. */
  rollouts(caller: Caller, paging: Paging): Page<ClusterRolloutsView> {
    const now = this.sources.clock.now();
    const found = this.sources.visibility
      .visibleProjects(caller)
      .map(({ target, isVisible }) => [target.name, () => clusterRolloutsView(target, isVisible, now)] as const);
    const { items, next } = paged(found, paging);
    return { items: items.map((view) => view()), ...(next !== undefined && { next }) };
  }

  /** Returns the workloads of the caller's projects. */
  workloads(
    caller: Caller,
    { project, target: targetFilter, ...paging }: Parameters<SubmissionService['workloads']>[1],
  ): Page<WorkloadView> {
    const found = this.sources.visibility
      .memberships(caller)
      .filter((one) => project === undefined || one.project.metadata.name === project)
      .filter(({ target }) => targetFilter === undefined || target.name === targetFilter)
      .flatMap(({ target, project: { metadata } }) =>
        target
          .workloads(metadata.name)
          .map(
            (live) =>
              [
                `${metadata.name}/${target.name}/${live.kind}/${live.metadata.name}`,
                () => createWorkloadView(target, live),
              ] as const,
          ),
      );
    const { items, next } = paged(found, paging);
    return { items: items.map((view) => view()), ...(next !== undefined && { next }) };
  }

  /** Returns one workload with its details. */
  workload(caller: Caller, request: Parameters<SubmissionService['workload']>[1]): WorkloadDetail {
    const { project, target: name, kind } = request;
    this.sources.visibility.requireMember(caller, project);
    const target = this.sources.targets.get(name);
    const mine = target?.project(project);
    const live =
      target && mine && roleOf(caller, mine) ? target.workload(project, { kind, name: request.name }) : undefined;
    if (!target || !live) throw notFound(`${kind} ${request.name} of ${project} on ${name}`);
    return workloadDetail(target, live);
  }

  /** Returns the deployable versions, newest first; reads only those of the page. */
  async versions(
    caller: Caller,
    { project, workflow, ...paging }: Parameters<SubmissionService['versions']>[1],
  ): Promise<Page<VersionView>> {
    this.sources.visibility.requireMember(caller, project);
    const { artifacts } = this.sources;
    const of = workflow === undefined ? project : `${project}/${workflow}`;
    const keys = await withStoreErrors(() => artifacts.store.versionKeys(of));
    const { items, next } = paged(
      keys.map(({ key, created }) => [newestFirst(new Date(created).toISOString(), key), key] as const),
      paging,
    );
    const views = await Promise.all(items.map((key) => this.version(key)));
    return { items: views.flat(), ...(next !== undefined && { next }) };
  }

  /** Returns a version; nothing if it is corrupt, and cannot be deployed. */
  private async version(key: string): Promise<VersionView[]> {
    const { artifacts } = this.sources;
    const found = await withStoreErrors(() => artifacts.store.versionAt(key));
    if (!found) return [];
    const { project, name, version, digest, published } = found;
    const reference = `${project}/${name}@${version}`;
    const artifact = await artifacts.get(digest).catch((error: unknown) => {
      if (error instanceof ProblemResponse && error.status === 404) return undefined;
      throw error;
    });
    const stages = artifact?.reference === reference ? artifact.content.stages.map((stage) => stage.name) : [];
    return [{ artifact: reference, workflow: name, version, digest, publishedAt: published, stages }];
  }

  /** Returns the deployments that the caller may see, newest first. */
  deployments(
    caller: Caller,
    { project, workflow, stage, ...paging }: Parameters<SubmissionService['deployments']>[1],
  ): Page<Deployment> {
    const mine = new Set(this.sources.visibility.memberships(caller).map((one) => one.project.metadata.name));
    const names = project === undefined ? [...mine] : [project].filter((name) => mine.has(name));
    const found = names
      .flatMap((name) => this.sources.visibility.deploymentsOf(name))
      .filter((one) => this.sources.visibility.canSee(caller, one))
      .filter((one) => workflow === undefined || one.workflow === workflow)
      .filter((one) => stage === undefined || one.stage === stage);
    return paged(
      found.map((one) => [newestFirst(one.requestedAt, one.id), one] as const),
      paging,
    );
  }
}
