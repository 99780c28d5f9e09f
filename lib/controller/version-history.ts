import { type LiveObject } from '../kube';
import { type Child } from './observed/child';
import { configMapReferences } from './config-map-references';
import { isRolledOut } from './plan/rolled-out';
import { specOf } from './plan/spec-of';

/** What earlier versions of a workload's pods refer to. */
export interface VersionHistory {
  /** Names of the ConfigMaps that they refer to. */
  readonly configMaps: ReadonlySet<string>;
  /** Whether Kubernetes is about to delete versions beyond the limit, which no watched object reports. */
  readonly shrinking: boolean;
}

/** Versions that Kubernetes keeps where an object does not say how many. */
const defaultLimit = 10;

/** Reads a history from ReplicaSets, ControllerRevisions or Jobs, and the objects whose versions they are. */
export function versionHistory(versions: readonly LiveObject[], observed: readonly Child[]): VersionHistory {
  const configMaps = new Set<string>();
  for (const version of versions) configMapReferences(version, configMaps);
  return { configMaps, shrinking: observed.some((child) => isShrinking(child, versions)) };
}

/** Old versions are dropped once a rollout is over, so that the newest and as many as the limit says remain. */
function isShrinking(child: Child, versions: readonly LiveObject[]): boolean {
  if (child.kind !== 'Deployment' && child.kind !== 'StatefulSet' && child.kind !== 'DaemonSet') return false;
  if (!isRolledOut(child)) return false;
  const { revisionHistoryLimit = defaultLimit } = specOf(child.content()) as { readonly revisionHistoryLimit?: number };
  const own = versions.filter(({ metadata }) => (metadata.ownerReferences ?? []).some(({ uid }) => uid === child.uid));
  return own.length > revisionHistoryLimit + 1;
}
