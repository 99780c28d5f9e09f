import { isRunKind } from '../../api';
import { kindControllerOf } from '../kinds/kind-controllers';
import { type Finding } from './cause';
import { activeRunPhase, type OpenWork, type WorkloadReadiness } from './readiness';
import { type ReportInput } from './report';
import { blocksReadiness } from './object-status';
import { type DesiredObjectStatus } from './desired-object-status';

/** Severities of findings that no retry resolves. */
const final = new Set<Finding['severity']>(['invalid', 'blocked', 'rejected', 'ended', 'slow', 'volume']);

/** Returns the readiness of a workload: by its worst finding, otherwise by the progress of its objects. */
export function computeReadiness(
  input: ReportInput,
  statuses: readonly DesiredObjectStatus[],
  worst: Finding | undefined,
): WorkloadReadiness<string> {
  if (worst) return readinessWithFinding(input, statuses, worst);
  const { kind, workload } = input;
  if (!workload)
    return { state: 'reconciling', reason: 'Unknown', message: 'Its state is not known yet.', phase: 'Pending' };
  return kindControllerOf(kind).readiness({ workload, input, statuses }, openWork(input, statuses));
}

function readinessWithFinding(
  input: ReportInput,
  statuses: readonly DesiredObjectStatus[],
  worst: Finding,
): WorkloadReadiness<string> {
  const { reason, message, owner } = worst.cause;
  // A workload without capacity continues once there is some; a failed run does not.
  const stalled = final.has(worst.severity) && (owner !== 'capacity' || worst.severity === 'ended');
  const state = stalled || isPastDeadline(statuses) ? 'stalled' : 'reconciling';
  return { state, reason, message, phase: phaseWithFinding(input, worst, state) };
}

/** Returns whether a native controller has reported that it stopped waiting. */
const isPastDeadline = (statuses: readonly DesiredObjectStatus[]): boolean =>
  statuses.some(({ object, status }) => object.kind !== 'Job' && status.state === 'Failed');

function phaseWithFinding({ workload, record }: ReportInput, { severity }: Finding, state: string): string {
  if (severity === 'invalid') return 'Invalid';
  if (severity === 'ended') return 'Failed';
  if (state === 'stalled') return 'Stalled';
  return workload && isRunKind(workload.kind) ? activeRunPhase(record) : 'Progressing';
}

function openWork({ plan }: ReportInput, statuses: readonly DesiredObjectStatus[]): OpenWork | undefined {
  const steps = (plan?.steps ?? []).filter(({ why }) => why !== 'drifted' && why !== 'unwanted' && why !== 'adopted');
  const open = statuses.filter(({ object, status }) => object.kind !== 'Job' && blocksReadiness(status.state));
  const reported = open.find(({ status }) => status.state !== 'Missing') ?? open[0];
  if (steps.length === 0 && !plan?.waits && !reported) return undefined;
  if (!reported || reported.status.state === 'Missing') {
    return { reason: 'Applying', message: 'Its objects are being created and changed.' };
  }
  const { object, status } = reported;
  const message = `${object.kind} ${object.metadata.name}: ${status.message ?? status.state}.`;
  return { reason: status.reason ?? 'RolloutInProgress', message };
}
