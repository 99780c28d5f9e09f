import { type Condition, trueCondition } from '../../api';
import { type RunRecord } from './run-plan';

type Fields = Readonly<Record<string, unknown>>;

/** Conditions for the outcome of a run. */
export const outcomeConditions = { Succeeded: 'Complete', Failed: 'Failed' } as const;

/** Returns the run record in a status. */
export function recordOf(status: Fields | undefined): RunRecord {
  const outcomeCondition = (['Succeeded', 'Failed'] as const).flatMap((outcome) => {
    const condition = trueCondition(status, outcomeConditions[outcome]);
    return condition ? [{ outcome, condition }] : [];
  })[0];
  const { run, startTime, completionTime, gang, uncountedRestarts, restartCause, awaitedJobs } = (status ?? {}) as {
    readonly uncountedRestarts?: number;
    readonly restartCause?: string;
    readonly awaitedJobs?: readonly string[];
    readonly run?: string;
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly gang?: NonNullable<RunRecord['gang']>;
  };
  return {
    restarts: Number(status?.['restarts'] ?? 0),
    ...(uncountedRestarts !== undefined && { uncountedRestarts }),
    ...(restartCause !== undefined && { restartCause }),
    ...(awaitedJobs && { awaited: awaitedJobs }),
    ...(run !== undefined && { run }),
    succeeded: (status?.['succeededIndexes'] ?? {}) as RunRecord['succeeded'],
    failed: (status?.['failedIndexes'] ?? {}) as RunRecord['failed'],
    ...(startTime !== undefined && { started: startTime }),
    ...(completionTime !== undefined && { ended: completionTime }),
    ...(outcomeCondition && outcomeOf(outcomeCondition.outcome, outcomeCondition.condition)),
    ...(gang && { gang }),
  };
}

function outcomeOf(outcome: 'Succeeded' | 'Failed', { reason = outcome, message = '' }: Condition) {
  return {
    outcome,
    ...(reason !== outcome && { outcomeReason: reason }),
    ...(message !== '' && { outcomeMessage: message }),
  };
}

/** Returns the status fields of a run, except the conditions Complete and Failed; `recordOf` parses them. */
export function runFields(record: RunRecord): Fields {
  const { restarts, uncountedRestarts, restartCause, awaited, run, succeeded, failed, started, ended, gang } = record;
  return {
    restarts,
    ...(uncountedRestarts !== undefined && { uncountedRestarts }),
    ...(restartCause !== undefined && { restartCause }),
    ...(awaited && { awaitedJobs: awaited }),
    ...(run !== undefined && { run }),
    ...(Object.keys(succeeded).length > 0 && { succeededIndexes: succeeded }),
    ...(Object.keys(failed).length > 0 && { failedIndexes: failed }),
    ...(started !== undefined && { startTime: started }),
    ...(ended !== undefined && { completionTime: ended }),
    ...(gang && { gang }),
  };
}
