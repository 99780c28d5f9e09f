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
 * What a document of any of our kinds becomes, in apply order, the controller's part included.
 *
 * Without a world, that of `makeProjectContext` with the document's own project, which for a daemon is of the infrastructure.
 * Throws a `ProblemsError` with all that is wrong.
 */
export function objectsOf(input: ManifestInput, world?: ProjectContext): readonly KubernetesObject[] {
  const completed = parseManifest(input);
  if (isWorkload(completed)) return expand(completed, worldFor(completed, world));
  if (completed.kind === 'Project') return expandProject(completed, world ?? makeProjectContext());
  return completed.kind === 'Platform' ? expandPlatform(resolvePlatform([completed])) : [];
}

/** All that is wrong with a document, warnings included; empty where nothing is. Takes anything, for tests of bad input. */
export function problemsOf(input: unknown, world?: ProjectContext): readonly Problem[] {
  const { completed, problems } = safeParseManifest(input);
  if (!completed || !isWorkload(completed)) return problems;
  return [...problems, ...safeExpand(completed, worldFor(completed, world)).problems];
}

function worldFor({ kind, metadata }: Workload, given: ProjectContext | undefined): ProjectContext {
  const project = metadata.namespace;
  if (!given) return makeProjectContext({ project: { name: project, infrastructure: traitsOf(kind).perNode } });
  if (given.project.metadata.name === project) return given;
  throw new ProblemsError([
    {
      code: 'invalid-combination',
      path: ['metadata', 'namespace'],
      value: project,
      reason: `is not the project of the given world, which is ${given.project.metadata.name}`,
      remedy: `give makeWorld({ project: { name: '${project}' } })`,
      object: `${kind} ${project}/${metadata.name}`,
    },
  ]);
}

const isWorkload = (document: Manifest): document is Workload => isWorkloadKind(document.kind);
