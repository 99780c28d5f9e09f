import { maxProjectRevisions, type PlatformManifest } from '../../api';
import { projectRevisionOf, projectRevisionsOf, type ProjectRevision, type ProjectRevisions } from '../../expand';
import { type LiveObject } from '../../client';
import { type ReconcileContext } from '../reconcile-context';
import {
  firstRevisions,
  neededRollout,
  nextRevisions,
  type PlatformRevisions,
  type RolloutFacts,
} from './needed-rollouts';
import {
  ensure,
  removeEndedRollouts,
  revisionsOfWorkloads,
  rolloutFactsOf,
  rolloutObject,
  withoutOrphans,
} from './reconcile-revisions';

/** Number of ended rollouts of a Project that are kept, besides the one that its status names. */
const maxKept = 2;

/**
 * Records the revision of a Project, and creates the rollout to it, or back from one that failed. Returns the revisions for the status;
 * undefined if the Platform has no rollouts. A Project without revisions has its present one: nothing is moved to it.
 */
export async function reconcileProjectRevisions(
  live: LiveObject,
  manifest: PlatformManifest<'Project'>,
  policy: PlatformManifest<'Platform'>['spec']['rollouts'],
  context: ReconcileContext,
): Promise<ProjectRevisions | undefined> {
  if (!policy) return undefined;
  const { name: project } = live.metadata;
  const previous = projectRevisionsOf(live);
  const current = projectRevisionOf(manifest);
  const generation = live.metadata.generation ?? 0;
  const prefix = `project-${project}`;
  if (!previous) return { ...firstRevisions(current.name, generation, []), known: [current] };
  const all = rolloutFactsOf(project, context);
  const next = nextRevisions(previous, current.name, generation, all, prefix);
  const rollouts = await withoutOrphans(next, all, context);
  const rollout = neededRollout(next, rollouts);
  if (rollout) await ensure(rolloutObject({ ...rollout, project }, policy), context);
  await removeEndedRollouts(project, { rollout: next.rollout, kept: maxKept }, context);
  return { ...next, known: knownRevisions(previous.known, { current, next, rollouts, project }, context) };
}

interface UseInput {
  readonly current: ProjectRevision;
  readonly next: PlatformRevisions;
  readonly rollouts: readonly RolloutFacts[];
  readonly project: string;
}

/** Returns the revisions that workloads of a Project follow or may return to, oldest first. */
function knownRevisions(
  previous: readonly ProjectRevision[],
  { current, next, rollouts, project }: UseInput,
  { stores }: ReconcileContext,
): ProjectRevision[] {
  const used = new Set([
    ...[current.name, next.completed],
    ...rollouts.flatMap(({ spec }) => [spec.revision, ...(spec.returnTo === undefined ? [] : [spec.returnTo])]),
    ...revisionsOfWorkloads(stores.workloadsIn(project), 'Project', stores),
  ]);
  const others = previous.filter(({ name }) => name !== current.name && used.has(name));
  // What is completed and current must stay known.
  const kept = others.filter(
    ({ name }, index) => name === next.completed || others.length - index < maxProjectRevisions - 1,
  );
  return [...kept, current];
}
