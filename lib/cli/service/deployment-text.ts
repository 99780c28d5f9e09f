import { type Cause, type Deployment, type Phase } from '../../contract';
import { exitCodes, type ExitCode } from '../command/exit-codes';
import { onOneLine, printable } from './printable';

/** `shop/cart@1.4.2`. */
export const artifactOf = ({ project, workflow, version }: Deployment): string => `${project}/${workflow}@${version}`;

/** Returns a cause as text: its owner, reason and message. */
export const causeText = ({ owner, reason, message, object }: Cause): string =>
  `${owner}: ${reason}: ${onOneLine(message)}${object === undefined ? '' : ` (${object})`}`;

/** Prints each cause in full once, and then only its reason. */
export class CausePrinter {
  private readonly printed = new Set<string>();

  /** Returns the text of a cause. */
  textOf(cause: Cause): string {
    return this.isNew(cause) ? causeText(cause) : cause.reason;
  }

  /** Returns a message in which the text of the cause replaces its mention, or is appended. */
  textWith(message: string, cause: Cause): string {
    const isNew = this.isNew(cause);
    const text = isNew ? causeText(cause) : cause.reason;
    if (cause.message !== '' && message.includes(cause.message)) return message.replace(cause.message, () => text);
    return isNew ? `${message}; ${text}` : message;
  }

  private isNew({ owner, reason, message }: Cause): boolean {
    const before = this.printed.size;
    return this.printed.add(JSON.stringify([owner, reason, message])).size > before;
  }
}

const phaseTexts = {
  pending: (stage) => `is starting in ${stage}`,
  queued: (stage) => `is queued in ${stage}`,
  applying: (stage) => `is being applied in ${stage}`,
  progressing: (stage) => `was applied in ${stage}; not everything is Ready yet`,
  ready: (stage) => `is Ready in ${stage}`,
  failed: (stage) => `did not become Ready in ${stage}; what was applied is kept`,
  rollingBack: (stage, previous) => `did not become Ready in ${stage}; rolling back to ${previous}`,
  rolledBack: (stage, previous) => `did not become Ready in ${stage}; rolled back to ${previous}`,
  superseded: (stage) => `was superseded in ${stage} by a later deployment`,
  cancelled: (stage) => `was canceled before it started in ${stage}`,
} as const satisfies Record<Phase, (stage: string, previous: string) => string>;

/** Returns the state of a deployment: one sentence, then the cause, then the workloads that are not Ready. */
export function deploymentText(deployment: Deployment): string {
  const { id, stage, phase, cause, previous } = deployment;
  const before = previous ? previous.version : 'the previous state';
  const causes = new CausePrinter();
  const lines = [
    `${artifactOf(deployment)} ${phaseTexts[phase](stage, before)} (${id})`,
    ...(cause ? [`  ${causes.textOf(cause)}`] : []),
    ...(phase === 'ready' ? [] : notReadyLines(deployment, causes).map((line) => `  ${line}`)),
  ];
  return printable(lines.map((line) => `${line}\n`).join(''));
}

/** Returns a line for each workload that is not Ready. */
const notReadyLines = ({ targets }: Deployment, causes: CausePrinter): string[] =>
  targets.flatMap(({ name, workloads }) =>
    workloads
      .filter(({ ready, change }) => !ready && change !== 'removed')
      .map(({ kind, name: workload, applied, progress, cause }) => {
        const status = [applied ? 'not Ready' : 'not applied', progress].filter(Boolean).join(', ');
        return `${name} ${kind}/${workload}: ${status}${cause ? `; ${causes.textOf(cause)}` : ''}`;
      }),
  );

const failedPhases: readonly Phase[] = ['failed', 'rollingBack', 'rolledBack', 'superseded', 'cancelled'];

/** Returns the exit code for the phase of a deployment. */
export const exitCodeOf = ({ phase }: Deployment): ExitCode =>
  failedPhases.includes(phase) ? exitCodes.failure : exitCodes.success;
