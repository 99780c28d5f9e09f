import { type LiveObject } from '../client';
import { type Child } from './observed/child';
import { configMapReferences } from './config-map-references';
import { isRolledOut } from './plan/rolled-out';
import { specOf } from './plan/spec-of';

/** References of earlier revisions of a workload's pods. */
export interface VersionHistory {
  /** Names of the referenced ConfigMaps. */
  readonly configMaps: ReadonlySet<string>;
  /** Whether Kubernetes is about to delete revisions beyond the limit, which no watched object reports. */
  readonly shrinking: boolean;
}

/** Number of revisions that Kubernetes keeps by default. */
const defaultLimit = 10;

/** Computes a history from ReplicaSets, ControllerRevisions or Jobs, and the objects that own them. */
export function versionHistory(versions: readonly LiveObject[], observed: readonly Child[]): VersionHistory {
  const configMaps = new Set<string>();
  for (const version of versions) configMapReferences(version, configMaps);
  return { configMaps, shrinking: observed.some((child) => isShrinking(child, versions)) };
}

/**
 * Returns whether old revisions are about to be deleted: once a rollout is complete, the newest and those within the
 * limit remain.
 */
function isShrinking(child: Child, versions: readonly LiveObject[]): boolean {
  if (child.kind !== 'Deployment' && child.kind !== 'StatefulSet' && child.kind !== 'DaemonSet') return false;
  if (!isRolledOut(child)) return false;
  const { revisionHistoryLimit = defaultLimit } = specOf(child.content()) as { readonly revisionHistoryLimit?: number };
  const ownVersions = versions.filter(({ metadata }) =>
    (metadata.ownerReferences ?? []).some(({ uid }) => uid === child.uid),
  );
  return ownVersions.length > revisionHistoryLimit + 1;
}
