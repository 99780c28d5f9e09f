import { sameStatus } from './same-status';

/**
 * Difference between a new status and the written one: none, numbers that may be written later, or news that users and
 * clients act on. Progress of a healthy run counts as numbers.
 */
export type StatusChange = 'none' | 'numbers' | 'news';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that change often during a rollout. */
const volatileFields = new Set([
  'replicas',
  'readyReplicas',
  'updatedReplicas',
  'availableReplicas',
  'variants',
  'children',
  'shards',
  'jobs',
  'roles',
  'readyMembers',
  'active',
  'desiredNodes',
  'readyNodes',
  'updatedNodes',
  'workloads',
  'profiles',
]);

/** Compares a status with the written one. */
export function statusChange(written: Fields | undefined, next: Fields): StatusChange {
  if (written === undefined) return 'news';
  if (sameStatus(written, next)) return 'none';
  return sameStatus(withoutVolatileFields(written), withoutVolatileFields(next)) ? 'numbers' : 'news';
}

function withoutVolatileFields(status: Fields): unknown {
  const { conditions, ...fields } = status;
  const kept = Object.entries(fields).filter(([name]) => !volatileFields.has(name));
  return isHealthyRun(status)
    ? withoutProgress(Object.fromEntries(kept), status)
    : { ...Object.fromEntries(kept), conditions: withoutMessageNumbers(conditions) };
}

/** Reasons of a healthy run, from its first Job to its end. */
const healthyReasons = new Set(['Applying', 'Starting', 'Running']);

function isHealthyRun({ run, cause, conditions }: Fields): boolean {
  if (run === undefined || cause !== undefined || !Array.isArray(conditions)) return false;
  return (conditions as readonly Fields[]).every(({ reason }) => healthyReasons.has(String(reason)));
}

/** Removes the progress of a healthy run that its Jobs show too. */
function withoutProgress({ phase: _, startTime: __, succeededIndexes, ...rest }: Fields, { children }: Fields): Fields {
  const jobs = Object.keys(children ?? {}).filter((name) => name.startsWith('Job/'));
  // A single Job keeps its indexes until it finishes; Jobs of single shards finish one by one, and may be deleted.
  return jobs.length === 1 ? rest : { ...rest, succeededIndexes };
}

/** Returns conditions without the numbers in their messages. */
const withoutMessageNumbers = (conditions: unknown): unknown =>
  Array.isArray(conditions)
    ? conditions.map((condition: Fields) => ({ ...condition, message: withoutNumbers(condition['message']) }))
    : undefined;

const withoutNumbers = (message: unknown): string => String(message).replace(/\d+/g, '0');
