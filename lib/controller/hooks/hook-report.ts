import { hooksOf, type Workload } from '../../api';
import { createCause, type Diagnosis, type Finding } from '../report/cause';
import { type OpenWork } from '../report/readiness';
import { type EventDraft } from '../report/report';
import { type EventReason } from '../reasons';
import { type HookPlan } from './hook-plan';
import { hookRecordOf } from './hook-record';

type Fields = Readonly<Record<string, unknown>>;

/** Inputs of the report on hooks. */
interface HookReportInput {
  readonly namespace: string;
  readonly workload: Workload | undefined;
  readonly hookPlan?: HookPlan | undefined;
}

/** Returns the failure of a hook: the pods stay as they are until the spec changes or a retry is requested. */
export function hookFindings({ namespace, workload, hookPlan }: HookReportInput): readonly Finding[] {
  const record = hookPlan?.record;
  if (!workload || record?.phase !== 'Failed') return [];
  const { hook = '', job = '', exitCode, message = 'it failed' } = record;
  const exit = exitCode === undefined ? '' : `, and its container exited with code ${exitCode}`;
  const { kind, metadata } = workload;
  const diagnosis: Diagnosis = {
    owner: 'application',
    reason: 'HookFailed',
    message: `Hook ${hook} failed (${message.replace(/\.$/, '')})${exit}; pods stay as they are. See \`kubectl logs -n ${namespace} job/${job}\`, and deploy another spec, or run the hook again with \`kubectl annotate ${kind.toLowerCase()} ${metadata.name} -n ${namespace} --overwrite pinterest.com/retried-at=$(date -u +%FT%TZ)\`.`,
  };
  return [{ severity: 'blocked', cause: createCause(diagnosis, `Job/${job}`), order: `Job/${job}` }];
}

/** Returns the work of hooks in progress; undefined once pods follow the spec. */
export function hookWork({ namespace, workload, hookPlan }: HookReportInput): OpenWork | undefined {
  if (!hookPlan || !workload || !(hookPlan.isGated || hookPlan.writeFirst)) return undefined;
  const { record, ending } = hookPlan;
  const reason = 'HookRunning';
  if (ending !== undefined)
    return { reason, message: `Job ${ending} of an earlier attempt is ending; nothing changes until it has ended.` };
  if (record.phase === 'Succeeded') return { reason, message: 'All hooks before the deployment have succeeded.' };
  const { hook = '', job = '' } = record;
  const names = hooksOf(workload).map(({ name }) => name);
  const position = names.length === 1 ? '' : ` (${names.indexOf(hook) + 1} of ${names.length})`;
  return {
    reason,
    message: `Hook ${hook}${position} runs before the deployment, and pods stay as they are until it succeeds; see \`kubectl logs -n ${namespace} job/${job}\`.`,
  };
}

/** Returns the Events of hooks that start, or that have all succeeded; a failure is the cause of the workload. */
export function eventsForHooks(previous: Fields, status: Fields): readonly EventDraft[] {
  const [before, now] = [hookRecordOf(previous), hookRecordOf(status)];
  const normal = (reason: EventReason, message: string): EventDraft => ({ type: 'Normal', reason, message });
  if (now?.phase === 'Running' && now.jobUid !== undefined && now.jobUid !== before?.jobUid)
    return [normal('HookStarted', `Hook ${now.hook ?? ''} runs before the deployment in Job ${now.job ?? ''}.`)];
  if (now?.phase === 'Succeeded' && before?.phase === 'Running' && before.spec === now.spec)
    return [normal('HooksSucceeded', 'All hooks before the deployment have succeeded: the pods follow the spec.')];
  return [];
}
