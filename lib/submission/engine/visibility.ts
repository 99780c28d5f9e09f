import { type PlatformManifest } from '../../api';
import { type Caller, type Deployment } from '../../contract';
import { ProblemResponse } from '../problem-response';
import { roleOf, type Role } from '../authorization';
import { type ConfigMapState } from '../state/config-map-state';
import { type DeploymentTarget } from '../targets/deployment-target';
import { pending } from './deployment-admission';

/** A project on a target, and what a caller is there. */
export interface Membership {
  readonly target: DeploymentTarget;
  readonly project: PlatformManifest<'Project'>;
  readonly role: Role;
}

/** What callers may know of: projects that they are members of, on one cluster at least, and what was deployed there. */
export class Visibility {
  constructor(
    private readonly options: {
      readonly state: ConfigMapState;
      readonly targets: ReadonlyMap<string, DeploymentTarget>;
    },
  ) {}

  /** All projects that a caller is a member of, on each target. */
  memberships(caller: Caller): Membership[] {
    return [...this.options.targets.values()].flatMap((target) =>
      target.projects().flatMap((project) => {
        const role = roleOf(caller, project);
        return role ? [{ target, project, role }] : [];
      }),
    );
  }

  /** Throws a `Refusal` where the caller is a member of a project nowhere. */
  mustKnow(caller: Caller, project: string): void {
    const isMember = [...this.options.targets.values()].some((target) => isMemberOn(caller, target, project));
    if (!isMember) throw notFound(`project ${project}`);
  }

  /** Whether a caller is a member of the project on one of the clusters that a deployment is about. */
  sees(caller: Caller, { project, targets }: Deployment): boolean {
    return targets.some(({ name }) => isMemberOn(caller, this.options.targets.get(name), project));
  }

  /** A deployment that the caller may know of. Throws a `Refusal` where there is none. */
  deployment(caller: Caller, id: string): Deployment {
    const { state } = this.options;
    const begun = state.record(id)?.deployment;
    const opened = begun ? undefined : state.opened(id);
    const found = begun ?? (opened && pending(opened.project, opened.entry));
    if (found && this.sees(caller, found)) return found;
    throw notFound(`deployment ${id}`);
  }

  /** All deployments of a project, in no order. */
  deploymentsOf(project: string): Deployment[] {
    const { state } = this.options;
    const begun = state.records(project).map(({ deployment }) => deployment);
    const known = new Set(begun.map(({ id }) => id));
    const waiting = state.underWay(project).filter(({ id }) => !known.has(id));
    return [...begun, ...waiting.map((entry) => pending(project, entry))];
  }
}

function isMemberOn(caller: Caller, target: DeploymentTarget | undefined, name: string): boolean {
  const project = target?.project(name);
  return project !== undefined && roleOf(caller, project) !== undefined;
}

/** The answer for what does not exist, and just the same for what the caller may not see. */
export const notFound = (what: string): ProblemResponse =>
  new ProblemResponse(404, { title: 'Not found', detail: `${what} does not exist, or is not in a project of yours` });
