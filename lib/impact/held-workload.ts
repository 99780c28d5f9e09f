import { isRunKind, isWorkloadKind, metadataKeys, type Workload } from '../api';
import { guardExpansion, type ExpansionRecord, type KubernetesObject, type ProjectContext } from '../expand';
import { childKeyOf, type ChildDifference } from './child-differences';
import { type SnapshotObject } from './cluster-snapshot';
import { isRunning } from './document-facts';
import { type ImpactDocument, type ImpactSide } from './impact-side';
import { writesOf, type ChangedObject } from './object-writes';
import { type ImpactSubject, type ObjectImpact, type WorkloadImpact } from './workload-impact';

/** A workload after a change, as this version expands it. */
interface AfterChange {
  readonly workload: Workload;
  readonly objects: readonly KubernetesObject[];
  readonly context: ProjectContext;
}

/**
 * Returns whether the controller holds a workload of a cluster after a change, because this version of pinion alone would change its
 * pods. Manifests in files have no record of their expansion, so none of them is held.
 */
export function isHeldAfter(
  document: ImpactDocument,
  { workload, objects, context }: AfterChange,
  { children, time, runtime }: ImpactSide,
): boolean {
  if (!children || document.metadata.uid === undefined || time === undefined) return false;
  const owned = objects.flatMap((object) => {
    const child = children.get(childKeyOf(object as SnapshotObject));
    return child ? [{ kind: child.kind, expansion: child.metadata.annotations?.[metadataKeys.expansion] }] : [];
  });
  const recorded = document.status?.['expansion'] as ExpansionRecord | undefined;
  const ended = isRunKind(workload.kind) && !isRunning(document, workload);
  const releaseRecord = runtime?.expansionRelease;
  const input = { workload, objects, context, recorded, releaseRecord, owned, ended };
  return guardExpansion({ ...input, now: Date.parse(time) }).isHeld;
}

/** Returns the impact on a workload that the controller holds: a run creates new objects, all others stay until it is released. */
export function heldImpact(
  subject: ImpactSubject,
  stored: readonly ChildDifference[],
  different: readonly ChangedObject[],
): WorkloadImpact {
  const changed =
    isWorkloadKind(subject.kind) && isRunKind(subject.kind)
      ? different.filter(({ change }) => change === 'created')
      : [];
  const pods = stored.filter(({ difference }) => difference === 'pods');
  const objects = pods.map(({ object, kind, path = '' }): ObjectImpact => ({
    ...{ object, fields: [path], isLater: true },
    effect: kind === 'CronJob' ? 'nextRun' : 'restarted',
  }));
  const causes = pods.map(({ object, path }) => `this version of pinion (${object} ${path})`);
  return {
    ...{ ...subject, outcome: 'waits', waitsFor: 'release', objects, changed, writes: writesOf(changed) },
    causes: causes.length > 0 ? causes : ['this version of pinion'],
  };
}
