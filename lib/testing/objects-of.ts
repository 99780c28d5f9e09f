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
  renderPlatform,
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
  const manifest = parseManifest(input);
  if (isWorkload(manifest)) return expand(manifest, contextFor(manifest, context));
  if (manifest.kind === 'Project') return expandProject(manifest, context ?? makeProjectContext());
  return manifest.kind === 'Platform' ? renderPlatform(resolvePlatform([manifest])) : [];
}

/** Returns all problems of a manifest, including warnings. Accepts any value, for tests of invalid input. */
export function problemsOf(input: unknown, context?: ProjectContext): readonly Problem[] {
  const { manifest, problems } = safeParseManifest(input);
  if (!manifest || !isWorkload(manifest)) return problems;
  return [...problems, ...safeExpand(manifest, contextFor(manifest, context)).problems];
}

/** Returns the default context of a manifest: one with its own project, an infrastructure project for a daemon. */
export const defaultContextOf = ({ kind, metadata }: Pick<ManifestInput, 'kind' | 'metadata'>): ProjectContext =>
  makeProjectContext({
    project: {
      ...(metadata.namespace !== undefined && { name: metadata.namespace }),
      infrastructure: isWorkloadKind(kind) && traitsOf(kind).perNode,
    },
  });

function contextFor({ kind, metadata }: Workload, given: ProjectContext | undefined): ProjectContext {
  const project = metadata.namespace;
  if (!given) return defaultContextOf({ kind, metadata });
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
