import {
  complete,
  examine,
  isWorkloadKind,
  ProblemsError,
  type Completed,
  type Input,
  type Problem,
  type Workload,
} from '../api';
import {
  examineExpansion,
  expand,
  expandPlatform,
  expandProject,
  resolve,
  type KubernetesObject,
  type World,
} from '../expand';
import { makeWorld } from './make-world';

/**
 * What a document of any of our kinds becomes, in apply order, the controller's part included.
 *
 * Without a world, that of `makeWorld` with the document's own project, which for a daemon is of the infrastructure.
 * Throws a `ProblemsError` with all that is wrong.
 */
export function objectsOf(input: Input, world?: World): readonly KubernetesObject[] {
  const completed = complete(input);
  if (isWorkload(completed)) return expand(completed, worldFor(completed, world));
  if (completed.kind === 'Project') return expandProject(completed, world ?? makeWorld());
  return completed.kind === 'Platform' ? expandPlatform(resolve([completed])) : [];
}

/** All that is wrong with a document, warnings included; empty where nothing is. Takes anything, for tests of bad input. */
export function problemsOf(input: unknown, world?: World): readonly Problem[] {
  const { completed, problems } = examine(input);
  if (!completed || !isWorkload(completed)) return problems;
  return [...problems, ...examineExpansion(completed, worldFor(completed, world)).problems];
}

function worldFor({ kind, metadata }: Workload, given: World | undefined): World {
  const project = metadata.namespace;
  if (!given) return makeWorld({ project: { name: project, infrastructure: kind === 'PinterestDaemon' } });
  if (given.project.metadata.name === project) return given;
  throw new ProblemsError([
    {
      code: 'contradiction',
      path: ['metadata', 'namespace'],
      value: project,
      reason: `is not the project of the given world, which is ${given.project.metadata.name}`,
      remedy: `give makeWorld({ project: { name: '${project}' } })`,
      object: `${kind} ${project}/${metadata.name}`,
    },
  ]);
}

const isWorkload = (document: Completed): document is Workload => isWorkloadKind(document.kind);
