import { podSecurityLevels, type PlatformManifest, type Status } from '../../api';
import { sortedHash } from '../objects/sorted-hash';
import { writtenFields } from '../objects/written-hash';

type Project = PlatformManifest<'Project'>;

/** Revisions in the status of a Project. */
export type ProjectRevisions = NonNullable<Status<'Project'>['revisions']>;

/** A revision of a Project: its name, which its content determines, and all that pods of its workloads take from the Project. */
export type ProjectRevision = ProjectRevisions['known'][number];

/**
 * Fields of `Project.spec` that change pod templates. All others say what a project may do, such as its tiers and IAM roles, or are about
 * its namespace: these hold at once, because the API server enforces them.
 */
export const shapingProjectFields = ['team', 'costCenter', 'podSecurity', 'defaultPool'] as const;

const revisions = new WeakMap<Project, ProjectRevision>();

/** Returns the revision of a Project. Fields are without defaults, so that a new version of the library gives no new revision. Pure. */
export function projectRevisionOf(project: Project): ProjectRevision {
  // Every reconcile asks.
  let revision = revisions.get(project);
  if (!revision) revisions.set(project, (revision = createProjectRevision(project)));
  return revision;
}

function createProjectRevision({ spec }: Project): ProjectRevision {
  const shaping = Object.fromEntries(
    shapingProjectFields.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
  );
  const content = writtenFields('Project', shaping) as Omit<ProjectRevision, 'name'>;
  return { name: projectRevisionName(content), ...content };
}

/** Returns the name of a revision of a Project with some content; a reader detects a changed content by it. */
export const projectRevisionName = (content: Omit<ProjectRevision, 'name'>): string => `project-${sortedHash(content)}`;

/**
 * Returns a Project as it is for workloads of a revision. The stricter Pod Security level of both counts, because the namespace enforces
 * that of the present Project and would reject pods of a looser one. Pure.
 */
export function projectAtRevision(project: Project, revision: ProjectRevision): Project {
  if (projectRevisionOf(project).name === revision.name) return project;
  const { name: _, podSecurity = 'restricted', ...fields } = revision;
  const { team: __, costCenter: ___, defaultPool: ____, ...present } = project.spec;
  const levels = [podSecurity, present.podSecurity].map((level) => podSecurityLevels.indexOf(level));
  const stricter = podSecurityLevels[Math.min(...levels)] ?? 'restricted';
  return { ...project, spec: { ...present, ...fields, podSecurity: stricter } };
}

/** Returns the revisions in the status of a Project as a cluster stores it. */
export function projectRevisionsOf(project: object | undefined): ProjectRevisions | undefined {
  const { status } = (project ?? {}) as { readonly status?: Status<'Project'> };
  return status?.revisions;
}

/** Returns the known revision of a name, unless its content is another one than its name stands for. */
export function knownProjectRevision(
  revisions: Pick<ProjectRevisions, 'known'> | undefined,
  name: string,
): ProjectRevision | undefined {
  const revision = revisions?.known.find((one) => one.name === name);
  if (!revision) return undefined;
  const { name: _, ...content } = revision;
  return projectRevisionName(content) === name ? revision : undefined;
}
