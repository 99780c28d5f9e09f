import { isRunKind, metadataKeys } from '../../api';
import { type KubernetesObject } from '../../expand';
import { hookWork } from '../hooks/hook-report';
import { kindControllerOf } from '../kinds/kind-controllers';
import { type Finding } from './cause';
import { activeRunPhase, type OpenWork, type WorkloadReadiness } from './readiness';
import { type ReportInput } from './report';
import { blocksReadiness } from './object-status';
import { type DesiredObjectStatus } from './desired-object-status';

/** Severities of findings that no retry resolves. */
const terminalSeverities = new Set<Finding['severity']>(['invalid', 'blocked', 'rejected', 'ended', 'slow', 'volume']);

/** Returns the readiness of a workload: by its worst finding, otherwise by the progress of its objects. */
export function computeReadiness(
  input: ReportInput,
  statuses: readonly DesiredObjectStatus[],
  finding: Finding | undefined,
): WorkloadReadiness<string> {
  if (finding) return readinessWithFinding(input, statuses, finding);
  const { kind, workload } = input;
  if (!workload)
    return { state: 'reconciling', reason: 'Unknown', message: 'Its state is not known yet.', phase: 'Pending' };
  const open = hookWork(input) ?? openWork(input, statuses);
  return kindControllerOf(kind).readiness({ workload, input, statuses }, open);
}

function readinessWithFinding(
  input: ReportInput,
  statuses: readonly DesiredObjectStatus[],
  finding: Finding,
): WorkloadReadiness<string> {
  const { reason, message, owner } = finding.cause;
  // A workload without capacity continues once capacity is available; a failed run does not.
  const stalled = terminalSeverities.has(finding.severity) && (owner !== 'capacity' || finding.severity === 'ended');
  const state = stalled || isPastDeadline(statuses) ? 'stalled' : 'reconciling';
  return { state, reason, message, phase: phaseWithFinding(input, finding, state) };
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
  const steps = (plan?.steps ?? []).filter(
    ({ reason }) => reason !== 'drifted' && reason !== 'unwanted' && reason !== 'adopted',
  );
  const open = statuses.filter(({ object, status }) => object.kind !== 'Job' && blocksReadiness(status.state));
  const reported = open.find(({ status }) => status.state !== 'Missing') ?? open[0];
  if (steps.length === 0 && !plan?.waits && !reported) return undefined;
  if (!reported || reported.status.state === 'Missing') {
    return { reason: 'Applying', message: 'Its objects are being created and changed.' };
  }
  const { object, status } = reported;
  const message = `${subjectOf(object)}: ${status.message ?? status.state}.`;
  return { reason: status.reason ?? 'RolloutInProgress', message };
}

/** Names an object, and its variant if the workload has variants. */
function subjectOf({ kind, metadata }: KubernetesObject): string {
  const variant = metadata.labels?.[metadataKeys.variant];
  return variant === undefined ? `${kind} ${metadata.name}` : `Variant ${variant} (${kind} ${metadata.name})`;
}
