import {
  parseManifest,
  safeParseManifest,
  isWorkloadKind,
  ProblemsError,
  traitsOf,
  type Manifest,
  type ManifestInput,
  type Problem,
  type Workload,
} from '../api';
import {
  safeExpand,
  expand,
  expandPlatform,
  expandProject,
  resolvePlatform,
  type KubernetesObject,
  type ProjectContext,
} from '../expand';
import { makeProjectContext } from './make-project-context';

/**
 * Expands a manifest of any pinion kind, in apply order, including what the controller adds.
 *
 * The context defaults to `makeProjectContext` with the manifest's own project, an infrastructure project for a daemon.
 * Throws a `ProblemsError` with all problems.
 */
export function objectsOf(input: ManifestInput, context?: ProjectContext): readonly KubernetesObject[] {
  const completed = parseManifest(input);
  if (isWorkload(completed)) return expand(completed, contextFor(completed, context));
  if (completed.kind === 'Project') return expandProject(completed, context ?? makeProjectContext());
  return completed.kind === 'Platform' ? expandPlatform(resolvePlatform([completed])) : [];
}

/** Returns all problems of a manifest, including warnings. Accepts anything, for tests of invalid input. */
export function problemsOf(input: unknown, context?: ProjectContext): readonly Problem[] {
  const { completed, problems } = safeParseManifest(input);
  if (!completed || !isWorkload(completed)) return problems;
  return [...problems, ...safeExpand(completed, contextFor(completed, context)).problems];
}

function contextFor({ kind, metadata }: Workload, given: ProjectContext | undefined): ProjectContext {
  const project = metadata.namespace;
  if (!given) return makeProjectContext({ project: { name: project, infrastructure: traitsOf(kind).perNode } });
  if (given.project.metadata.name === project) return given;
  throw new ProblemsError([
    {
      code: 'invalid-combination',
      path: ['metadata', 'namespace'],
      value: project,
      reason: `is not the project of the given context, ${given.project.metadata.name}`,
      remedy: `use makeProjectContext({ project: { name: '${project}' } })`,
      object: `${kind} ${project}/${metadata.name}`,
    },
  ]);
}

const isWorkload = (document: Manifest): document is Workload => isWorkloadKind(document.kind);
