import { type PlatformManifest } from '../../api';
import { type Caller, type Deployment } from '../../contract';
import { ProblemResponse } from '../problem-response';
import { roleOf, type Role } from '../authorization';
import { type ConfigMapState } from '../state/config-map-state';
import { type DeploymentTarget } from '../targets/deployment-target';
import { type IsVisibleProject } from './cluster-rollouts-view';
import { pending } from './deployment-admission';

/** Project on a target with the caller's role there. */
export interface Membership {
  readonly target: DeploymentTarget;
  readonly project: PlatformManifest<'Project'>;
  readonly role: Role;
}

/** Visibility of resources to callers: projects of which they are members on at least one cluster, and their deployments. */
export class Visibility {
  constructor(
    private readonly options: {
      readonly state: ConfigMapState;
      readonly targets: ReadonlyMap<string, DeploymentTarget>;
    },
  ) {}

  /** Returns all projects that a caller is a member of, on each target. */
  memberships(caller: Caller): Membership[] {
    return [...this.options.targets.values()].flatMap((target) =>
      target.projects().flatMap((project) => {
        const role = roleOf(caller, project);
        return role ? [{ target, project, role }] : [];
      }),
    );
  }

  /**
   * Returns the projects whose clients a caller may see, on each target: its own, and for the platform team all, with the
   * empty name for accounts without a project.
   */
  clientProjects(caller: Caller): { readonly target: DeploymentTarget; readonly project: string }[] {
    return this.visibleProjects(caller).flatMap(({ target, isVisible }) =>
      target
        .clientProjects()
        .filter(isVisible)
        .map((project) => ({ target, project })),
    );
  }

  /** Returns all targets with the test of whether a caller may see a project there: its own, and for the platform team all. */
  visibleProjects(caller: Caller): { readonly target: DeploymentTarget; readonly isVisible: IsVisibleProject }[] {
    return [...this.options.targets.values()].map((target) => {
      const isPlatformTeam = isPlatformTeamOn(caller, target);
      return { target, isVisible: (project) => isPlatformTeam || isMemberOn(caller, target, project) };
    });
  }

  /** Returns whether a caller is a member of a project on at least one cluster. */
  isMember(caller: Caller, project: string): boolean {
    return [...this.options.targets.values()].some((target) => isMemberOn(caller, target, project));
  }

  /** Throws a `ProblemResponse` if the caller is not a member of a project on any cluster. */
  requireMember(caller: Caller, project: string): void {
    if (!this.isMember(caller, project)) throw notFound(`project ${project}`);
  }

  /** Returns whether a caller is a member of the project on one of the clusters of a deployment. */
  canSee(caller: Caller, { project, targets }: Deployment): boolean {
    return targets.some(({ name }) => isMemberOn(caller, this.options.targets.get(name), project));
  }

  /** Returns a deployment that the caller may see. Throws a `ProblemResponse` if there is none. */
  deployment(caller: Caller, id: string): Deployment {
    const { state } = this.options;
    const started = state.record(id)?.deployment;
    const pendingEntry = started ? undefined : state.pendingEntry(id);
    const found = started ?? (pendingEntry && pending(pendingEntry.project, pendingEntry.entry));
    if (found && this.canSee(caller, found)) return found;
    throw notFound(`deployment ${id}`);
  }

  /** Returns all deployments of a project, unordered. */
  deploymentsOf(project: string): Deployment[] {
    const { state } = this.options;
    const started = state.records(project).map(({ deployment }) => deployment);
    const known = new Set(started.map(({ id }) => id));
    const notStarted = state.inProgress(project).filter(({ id }) => !known.has(id));
    return [...started, ...notStarted.map((entry) => pending(project, entry))];
  }
}

const isPlatformTeamOn = (caller: Caller, target: DeploymentTarget): boolean =>
  target.platformTeam().some((group) => caller.groups.includes(group));

function isMemberOn(caller: Caller, target: DeploymentTarget | undefined, name: string): boolean {
  const project = target?.project(name);
  return project !== undefined && roleOf(caller, project) !== undefined;
}

/** Returns the response for something that does not exist or is not visible to the caller; both look the same. */
export const notFound = (subject: string): ProblemResponse =>
  new ProblemResponse(404, {
    title: 'Not found',
    detail: `${subject} does not exist, or is not in one of your projects`,
  });
