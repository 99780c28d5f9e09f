import { type BreakGlassWrite, type WorkloadRecord } from '../../artifact';
import { timeOf } from '../../expand';

/** Returns the message of an accepted deployment. */
export const verifiedMessage = ({ deployment }: WorkloadRecord): string =>
  deployment
    ? `Deployment ${deployment.authorization.sequence} of ${deployment.authorization.artifact} is verified.`
    : '';

/** Returns why a spec is not carried out, and what the objects of the workload follow instead. */
export const refusalMessage = (why: string, record: WorkloadRecord | undefined): string =>
  `Not carried out: ${why}. ${record ? `Its objects follow ${nameOf(record)}.` : 'Its objects stay as they are.'}`;

/** Returns the message of a change that bypasses the proof. */
export const breakGlassMessage = ({ user, reason }: BreakGlassWrite, until: number): string =>
  `${user} bypasses the proof until ${timeOf(until)}: ${reason}`;

/** Returns the refusal of a change whose time is over, and the remedy. */
export const expiredMessage = ({ user }: BreakGlassWrite, until: number): string =>
  `the break-glass change of ${user} ended at ${timeOf(until)}; deploy it with the submission service`;

function nameOf({ deployment, breakGlass }: WorkloadRecord): string {
  if (breakGlass) return 'the last break-glass change';
  return deployment ? `deployment ${deployment.authorization.sequence} of ${deployment.authorization.artifact}` : '';
}
