import { sameStatus } from './same-status';

/** How much a new status says beyond the one that is written: nothing, numbers that may wait, or something that people and programs act on. */
export type StatusChange = 'none' | 'numbers' | 'news';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that flutter while a rollout goes on. */
const fluttering = new Set([
  'replicas',
  'readyReplicas',
  'updatedReplicas',
  'availableReplicas',
  'children',
  'shards',
  'roles',
  'readyMembers',
  'active',
  'desiredNodes',
  'readyNodes',
  'updatedNodes',
  'workloads',
  'profiles',
]);

/** Compares a status with the one that is written. */
export function statusChange(written: Fields | undefined, next: Fields): StatusChange {
  if (written === undefined) return 'news';
  if (sameStatus(written, next)) return 'none';
  return sameStatus(steady(written), steady(next)) ? 'numbers' : 'news';
}

function steady(status: Fields): unknown {
  const kept = Object.entries(status).filter(([name]) => !fluttering.has(name) && name !== 'conditions');
  return { ...Object.fromEntries(kept), conditions: verdicts(status['conditions']) };
}

/** Of conditions what they say, without the numbers in their messages. */
const verdicts = (conditions: unknown): unknown =>
  Array.isArray(conditions)
    ? conditions.map((condition: Fields) => ({ ...condition, message: withoutNumbers(condition['message']) }))
    : undefined;

const withoutNumbers = (message: unknown): string => String(message).replace(/\d+/g, '0');
