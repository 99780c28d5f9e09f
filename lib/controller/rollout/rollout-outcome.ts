import { type RolloutPhase } from '../../api';
import { type GateVerdict } from './rollout-gate';
import { type RolloutConditions, type RolloutSpec, type RolloutWorkload } from './rollout-workload';

/** Phase of a rollout with its reason. */
export interface RolloutOutcome {
  readonly phase: RolloutPhase;
  readonly reason: string;
  /** Empty if the reason says all. */
  readonly message: string;
}

/** What decides whether a rollout ends or releases nothing. */
export interface OutcomeInput {
  readonly spec: RolloutSpec;
  readonly conditions: RolloutConditions;
  readonly health: GateVerdict;
  /** Whether it has released a workload. */
  readonly hasReleased: boolean;
  /** Whether all workloads from before its start have followed. */
  readonly isRolledOut: boolean;
  /** Whether soak, freezes, the canary and a missing approval do not count. */
  readonly isEmergency: boolean;
}

const supersededOutcome: RolloutOutcome = {
  phase: 'Aborted',
  reason: 'Superseded',
  message: 'the Platform has another revision by now',
};

const supersededBy = ({ project }: RolloutSpec): RolloutOutcome =>
  project === undefined
    ? supersededOutcome
    : { ...supersededOutcome, message: `Project ${project} has another revision by now` };

/** Returns the outcome of a rollout that was stopped, or that fails; undefined if it continues. Pure. */
export function endedOutcome({ spec, conditions, health, hasReleased }: OutcomeInput): RolloutOutcome | undefined {
  if (spec.rollback)
    return { phase: 'Aborted', reason: 'RollbackRequested', message: 'workloads return to their former revisions' };
  if (spec.aborted)
    return {
      phase: 'Aborted',
      reason: 'Requested',
      message: 'no more workloads are released; those that moved stay at the revision',
    };
  if (conditions.isSuperseded) return supersededBy(spec);
  return spec.rollbackOf === undefined ? failedOutcome({ spec, conditions, health, hasReleased }) : undefined;
}

/** Returns the outcome of a rollout that has moved all workloads from before its start, and is to stop; undefined if it continues. Pure. */
export function rolledOutOutcome(
  { spec, conditions }: Pick<OutcomeInput, 'spec' | 'conditions'>,
  members: readonly Pick<RolloutWorkload, 'isMoved'>[],
): RolloutOutcome | undefined {
  if (conditions.isSuperseded) return supersededBy(spec);
  // The Platform counts the revision as completed: as after the end, only another one takes its place.
  return spec.aborted || spec.rollback ? completedOutcome(spec, members) : undefined;
}

function failedOutcome({
  spec,
  conditions: { metrics },
  health,
  hasReleased,
}: Omit<OutcomeInput, 'isEmergency' | 'isRolledOut'>): RolloutOutcome | undefined {
  const failsByMetrics = hasReleased && metrics?.verdict === 'fail';
  if (health.verdict !== 'fail' && !failsByMetrics) return undefined;
  const next =
    spec.policy.onFailure === 'Rollback'
      ? 'workloads return to their former revisions'
      : `run "pinion rollout rollback", or change the ${spec.project === undefined ? 'Platform' : 'Project'}`;
  const { reason = 'MetricsFail', message = metrics?.message ?? '' } = health.verdict === 'fail' ? health : {};
  return { phase: 'Failed', reason, message: `${next}; ${message}` };
}

/** Returns why a rollout releases nothing at present; undefined if it may. Pure. */
export function holdOutcome(input: OutcomeInput): RolloutOutcome | undefined {
  const { spec, conditions, health, hasReleased, isEmergency, isRolledOut } = input;
  if (spec.paused)
    return { phase: 'Paused', reason: 'Requested', message: 'run "pinion rollout resume" to release more workloads' };
  if (spec.rollbackOf !== undefined) return undefined;
  if (health.verdict === 'pause') return pausedOutcome(health.reason ?? 'Stalled', health.message);
  const { metrics, canaryHold, freeze, precedence, impact } = conditions;
  const isUnknown = metrics?.verdict === 'inconclusive';
  // A remedy of an incident does not wait for Prometheus, which the incident may affect.
  if (metrics && metrics.verdict !== 'pass' && !isRolledOut && !(isUnknown && isEmergency))
    return pausedOutcome(metrics.verdict === 'fail' ? 'MetricsFail' : 'MetricsInconclusive', metrics.message);
  if (isEmergency) return undefined;
  const phase = hasReleased ? 'Progressing' : 'Pending';
  const { approvedImpact } = spec;
  if (impact !== undefined && impact !== approvedImpact)
    return { phase, reason: 'ImpactNotApproved', message: unapprovedMessage(impact, approvedImpact) };
  if (canaryHold !== undefined) return { phase, reason: 'WaitsForCanary', message: canaryHold };
  if (precedence !== undefined)
    return {
      phase,
      reason: 'WaitsForPlatform',
      message: `PlatformRollout ${precedence} of the Platform is in progress`,
    };
  if (freeze !== undefined) return { phase, reason: 'Frozen', message: `the freeze "${freeze}" is in force` };
  return undefined;
}

const unapprovedMessage = (impact: string, approved: string | undefined): string =>
  `the impact ${impact} is not approved; ${approved === undefined ? 'none is' : `spec.approvedImpact is ${approved}`}; run "pinion rollout approve ${impact}" once "pinion impact report" has this digest`;

const pausedOutcome = (reason: string, message = ''): RolloutOutcome => ({
  phase: 'Paused',
  reason,
  message: `${message}; it continues by itself once this ends`,
});

/** Returns the outcome of a rollout that has moved all workloads that it could. Pure. */
export function completedOutcome(
  { rollbackOf, returnTo, project }: RolloutSpec,
  members: readonly Pick<RolloutWorkload, 'isMoved'>[],
): RolloutOutcome {
  const behind = members.filter(({ isMoved }) => !isMoved).length;
  const rest = behind === 0 ? '' : `; ${behind} could not move and stay at their revisions`;
  const former =
    returnTo === undefined
      ? 'at their former revisions'
      : `at the revision of the ${project === undefined ? 'Platform' : 'Project'}`;
  const where = rollbackOf === undefined ? 'at the revision' : former;
  return {
    phase: 'Completed',
    reason: 'Completed',
    message: `all workloads that it could move are ready ${where}${rest}`,
  };
}
