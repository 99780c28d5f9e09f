import { isProtectedProject } from '../../expand';
import { type LiveObject } from '../../client';
import { type ProjectResult } from '../platform-cache';
import { type ReconcileContext } from '../reconcile-context';
import { isPlatformWorkload } from './is-platform-workload';
import { type FollowedWorkload, type ProtectedContext } from './workload-verifier';

/**
 * Returns what the verification of a workload depends on; undefined if it needs none. A revision keeps the name that the cluster had,
 * but the stages of the present Platform decide what is protected.
 */
export function protectedContextOf(
  live: LiveObject,
  project: ProjectResult,
  platformCache: ReconcileContext['platformCache'],
): ProtectedContext | undefined {
  const { platform } = platformCache;
  const present = 'context' in project && platform ? { platform, project: project.context.project } : undefined;
  return present && isProtectedProject(present) && !isPlatformWorkload(live, platformCache) ? present : undefined;
}

/**
 * Returns a workload as its objects follow it, which is not its spec if it is protected and its spec has no trusted proof; undefined if
 * that is not known.
 */
export const followedWorkload = (
  live: LiveObject,
  project: ProjectResult,
  { platformCache, verifier }: Pick<ReconcileContext, 'platformCache' | 'verifier'>,
): FollowedWorkload | undefined =>
  protectedContextOf(live, project, platformCache) ? verifier.followed(live) : { source: live };
