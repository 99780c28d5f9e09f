import { isRunKind, type Status, type Workload, type WorkloadKind } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { timeOf } from '../objects/time-of';
import { type ProjectContext } from '../project-context';
import { expansionInputs } from './expansion-inputs';
import { recordsOnObjects, type RecordedObject } from './recorded-expansion';
import { nextReleaseRecord, type ReleaseRecord } from './release-record';
import { differsInTemplates, podTemplatesHash } from './pod-templates-hash';

/** What a workload was expanded from and to, in its status. */
export type ExpansionRecord = NonNullable<Status<WorkloadKind>['expansion']>;

/** Input of the guard of an expansion. */
export interface GuardInput {
  readonly workload: Workload;
  readonly objects: readonly KubernetesObject[];
  readonly context: ProjectContext;
  /** Record of the last reconcile. @default - none, as of a former version */
  readonly recorded: ExpansionRecord | undefined;
  /** What the Platform has recorded of its release. @default - nothing yet */
  readonly releaseRecord?: ReleaseRecord | undefined;
  /** Objects of the workload that exist. */
  readonly owned: readonly (RecordedObject & { readonly kind: string })[];
  /** Whether it is a run that has ended, whose objects do not change. */
  readonly ended: boolean;
  /** Whether a rollout moves it to another revision, which releases it. @default false */
  readonly isMoving?: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Record of an expansion, which says whether the workload is held. */
export interface GuardedExpansion {
  readonly record: ExpansionRecord;
  /** Whether its existing objects stay as they are, because the library alone would change their pods. */
  readonly isHeld: boolean;
}

/**
 * Compares the pod templates of a workload with the recorded ones. If they differ although the workload, the Platform, the
 * profile and the Project are the same, the library changed them by mistake, and the workload is held until it is released or deployed.
 *
 * A workload that is held stays so whatever changes in the Platform: otherwise any change of it would restart all. Without a record
 * the present templates are recorded; if the status is lost, the objects have the record. Pure.
 */
export function guardExpansion(input: GuardInput): GuardedExpansion {
  const { workload, objects, context, owned, ended, isMoving = false, now } = input;
  const inputs = expansionInputs(workload, context);
  const podTemplates = podTemplatesHash(objects);
  const recorded: ExpansionRecord | undefined =
    input.recorded ?? recordsOnObjects(owned).find((record) => record.inputs === inputs.all);
  const current: GuardedExpansion = { record: { inputs: inputs.all, podTemplates }, isHeld: false };
  if (!recorded || ended || isMoving || !differsInTemplates(recorded.podTemplates, podTemplates)) return current;
  if (!owned.some(({ kind }) => hasPods(kind, workload))) return current;
  const { held } = recorded;
  const isSame = held ? held.deployed === inputs.deployed : recorded.inputs === inputs.all;
  if (!isSame) return current;
  if (held && isReleased(held.since, input)) return current;
  return { record: { ...recorded, held: held ?? { deployed: inputs.deployed, since: timeOf(now) } }, isHeld: true };
}

const templateKinds: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob']);

/** Returns whether objects of a kind have the pods of a workload: only those of runs are Jobs, and others have Jobs of hooks. */
const hasPods = (kind: string, workload: Workload): boolean =>
  templateKinds.has(kind) || (kind === 'Job' && isRunKind(workload.kind));

/**
 * Returns whether the Platform releases a workload that is held since a time. A time in the future counts as that at which the controller
 * first saw it, so that no release is a permission for later holds.
 */
function isReleased(since: string, { context, releaseRecord, now }: GuardInput): boolean {
  const { expansionRelease: release } = context.platform.spec.runtime;
  const record = nextReleaseRecord(releaseRecord, release, timeOf(now));
  if (!release || !record) return false;
  const until = Math.min(Date.parse(release.heldBefore), Date.parse(record.since));
  if (!(Date.parse(since) <= until)) return false;
  return release.projects.length === 0 || release.projects.includes(context.project.metadata.name);
}
