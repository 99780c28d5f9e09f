import { isProtectedProject } from '../../expand';
import { type LiveObject } from '../../client';
import { type ProjectResult } from '../platform-cache';
import { type ReconcileContext } from '../reconcile-context';
import { isPlatformWorkload } from './is-platform-workload';
import { type FollowedWorkload } from './workload-verifier';

/**
 * Returns a workload as its objects follow it, which is not its spec if it is protected and its spec has no trusted proof; undefined if
 * that is not known.
 */
export function followedWorkload(
  live: LiveObject,
  project: ProjectResult,
  { platformCache, verifier }: Pick<ReconcileContext, 'platformCache' | 'verifier'>,
): FollowedWorkload | undefined {
  const { platform } = platformCache;
  const isProtected =
    platform !== undefined &&
    'context' in project &&
    isProtectedProject({ platform, project: project.context.project }) &&
    !isPlatformWorkload(live, platformCache);
  return isProtected ? verifier.followed(live) : { source: live };
}
