import { type RuleCase } from './rule-case';
import { type Series, stays, turns } from './series';

const controller = { job: 'pinion-controller', instance: 'controller-a' };

const phase = (name: string, reason: string, rollback = 'false', value = 1): Series =>
  stays('pinion_rollout_phase', { ...controller, phase: name, reason, rollback }, value);
const progress = (seconds: number): Series => stays('pinion_rollout_progress_timestamp_seconds', controller, seconds);
const emergency = (seconds: number): Series =>
  stays('pinion_rollout_emergency_expiry_timestamp_seconds', controller, seconds);

/** Cases of the group pinion-rollouts. */
export const rolloutCases: readonly RuleCase[] = [
  {
    alert: 'PinionRolloutFailed',
    severity: 'warning',
    at: 1,
    fires: [phase('Failed', 'WorkloadsFail')],
    quiet: [phase('Progressing', 'Releasing'), phase('Failed', '', 'false', 0), phase('Completed', '', 'true')],
  },
  {
    alert: 'PinionRolloutStuck',
    severity: 'warning',
    at: 70,
    fires: [progress(0), phase('Progressing', 'Releasing')],
    // A freeze and a pause are intended.
    quiet: [progress(0), phase('Progressing', 'Frozen'), phase('Paused', 'Requested')],
  },
  {
    alert: 'PinionRolloutPaused',
    severity: 'warning',
    at: 125,
    fires: [phase('Paused', 'Requested'), phase('Aborted', '', 'false', 0)],
    quiet: [
      phase('Paused', '', 'false', 0),
      turns(
        'pinion_rollout_phase',
        { ...controller, phase: 'Aborted', reason: 'Requested', rollback: 'false' },
        0,
        1,
        60,
      ),
    ],
  },
  {
    alert: 'PinionRolloutEmergency',
    severity: 'info',
    at: 30,
    fires: [emergency(3600)],
    quiet: [emergency(0)],
  },
];
