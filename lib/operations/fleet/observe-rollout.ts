import { textAt, valueAt, type Status } from '../../api';
import { isRolloutEnded, isRolloutLeft } from '../../expand';
import { type LiveObject } from '../../kube';

type RolloutStatus = Partial<Status<'PlatformRollout'>>;

/** How far the present revision of a Platform is rolled out to the workloads of a cluster. */
export interface RolloutObservation {
  /** What still has to happen, one sentence each; empty once all workloads have it, or without rollouts in the Platform. */
  readonly waits: readonly string[];
  /** Why the rollout does not continue without a decision of a user. @default - it does */
  readonly stopped?: string;
  /** Whether the workloads have the last completed revision again, so that a new change can begin. */
  readonly isRolledBack: boolean;
}

const complete: RolloutObservation = { waits: [], isRolledBack: false };
/** Phases of a rollout that needs a decision. */
const stoppedPhases: ReadonlySet<string | undefined> = new Set(['Failed', 'Aborted', 'RolledBack', 'Paused']);

/** Observes the rollout of a Platform. Pure. */
export function observeRollout(platform: LiveObject | undefined, all: readonly LiveObject[]): RolloutObservation {
  // Rollouts of Projects move nothing to the revision of the Platform, and it waits for none of them.
  const rollouts = all.filter((one) => textAt(one, 'spec', 'project') === undefined);
  if (valueAt(platform, ['spec', 'rollouts']) === undefined) return complete;
  const revisions = (platform?.['status'] as Status<'Platform'> | undefined)?.revisions;
  if (!revisions) return waiting('the controller has not recorded the revision of the Platform yet');
  const { current, completed, rollout: name } = revisions;
  const own = rollouts.find(({ metadata }) => metadata.name === name);
  const open = rollouts.filter((one) => !isRolloutEnded(statusOf(one) as Status<'PlatformRollout'>));
  const decided = [...(own && current !== completed ? [own] : []), ...open].find(isStopped);
  if (decided) return stoppedBy(decided);
  if (open.length > 0) return waiting(...open.map(progressText));
  if (current !== completed) return waiting(own ? endText(own) : `rollout ${name ?? ''} has not been created yet`);
  const left = own ? undefined : rollouts.findLast((one) => isLeft(one, current));
  return left ? waiting(`what rollout ${left.metadata.name} has moved has not returned yet`) : complete;
}

const waiting = (...waits: readonly string[]): RolloutObservation => ({ waits, isRolledBack: false });

const statusOf = (rollout: LiveObject): RolloutStatus => rollout['status'] ?? {};

const isStopped = (rollout: LiveObject): boolean => stoppedPhases.has(statusOf(rollout).phase);

function stoppedBy(rollout: LiveObject): RolloutObservation {
  const { phase = '', reason = '', message = '' } = statusOf(rollout);
  const why = `${reason === '' ? '' : ` (${reason})`}${message === '' ? '' : `: ${message}`}`;
  const stopped = `rollout ${rollout.metadata.name} is ${phase}${why}`;
  return { waits: [stopped], stopped, isRolledBack: phase === 'RolledBack' };
}

/** Returns how far a rollout is, such as `rollout rollout-3 is in wave early: 12 of 40 workloads are at the revision`. */
export function progressText(rollout: LiveObject): string {
  const { wave, workloads, completed, message = '' } = statusOf(rollout);
  const where = wave === undefined ? 'has not started' : `is in wave ${wave}`;
  const counts = workloads === undefined ? '' : `: ${completed ?? 0} of ${workloads} workloads are at the revision`;
  return `rollout ${rollout.metadata.name} ${where}${counts}${message === '' ? '' : ` (${message})`}`;
}

const endText = ({ metadata: { name } }: LiveObject): string =>
  `the Platform has not recorded the end of rollout ${name} yet`;

/** Returns whether a rollout ended with workloads at its revision, from which the controller creates a rollout back. */
const isLeft = (rollout: LiveObject, current: string): boolean =>
  isRolloutLeft(statusOf(rollout)) &&
  textAt(rollout, 'spec', 'rollbackOf') === undefined &&
  textAt(rollout, 'spec', 'revision') !== current;
