import { conditionOf } from '../../api';
import { type EventReason } from '../reasons';
import { type Verification } from '../verification/verification';
import { createCause, type Finding } from './cause';
import { type ConditionDraft } from './conditions';
import { type EventDraft, type ReportInput } from './report';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the conditions of a workload in a protected project: Verified, and BreakGlass while its proof is bypassed. */
export function verificationConditions({ verification }: ReportInput): readonly ConditionDraft[] {
  if (!verification) return [];
  const { state, reason, message } = verification;
  const verified = { type: 'Verified', status: state === 'verified' ? 'True' : 'False', reason, message } as const;
  return [verified, ...(state === 'breakGlass' ? [{ ...verified, type: 'BreakGlass', status: 'True' as const }] : [])];
}

/** Reasons that only the platform team resolves. */
const platformReasons: readonly Verification['reason'][] = [
  'DeploymentKeysMissing',
  'IssuerUnreachable',
  'PoliciesChanged',
];
/** Reasons that pass without a change of the workload. */
const passingReasons: readonly Verification['reason'][] = ['IssuerUnreachable', 'PoliciesChanged'];

/** Returns why the present spec is not carried out. An outage of an issuer and changed policies pass; other reasons need a deployment. */
export function refusedSpec({ verification }: ReportInput): readonly Finding[] {
  if (verification?.state !== 'refused') return [];
  const { reason, message } = verification;
  const owner = platformReasons.includes(reason) ? 'platform' : 'application';
  const cause = createCause({ owner, reason: 'Unverified', message: `${reason}: ${message}` });
  return [{ severity: passingReasons.includes(reason) ? 'creation' : 'rejected', cause, order: '' }];
}

/** Returns the Event of a workload whose spec is refused, bypasses its proof, or is verified again. */
export function eventsForVerification(previous: Fields, status: Fields): EventDraft[] {
  const [before, now] = [conditionOf(previous, 'Verified'), conditionOf(status, 'Verified')];
  if (!now || before?.reason === now.reason) return [];
  const { reason, message = '' } = now;
  if (now.status === 'True') return before ? [event('Normal', 'Verified', message)] : [];
  return reason === 'BreakGlass'
    ? [event('Warning', 'BreakGlass', message)]
    : [{ type: 'Warning', reason: 'Unverified', message: `${reason}: ${message}` }];
}

const event = (type: EventDraft['type'], reason: EventReason, message: string): EventDraft => ({
  type,
  reason,
  message,
});
