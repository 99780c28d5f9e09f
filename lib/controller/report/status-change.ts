import { sameStatus } from './same-status';

/**
 * How much a new status differs from the one that is written: not at all, by numbers that may wait, or by news that users
 * and programs act on. How far a run is that goes well is a number too.
 */
export type StatusChange = 'none' | 'numbers' | 'news';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that change often during a rollout. */
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
  const { conditions, ...fields } = status;
  const kept = Object.entries(fields).filter(([name]) => !fluttering.has(name));
  return goesWell(status)
    ? withoutSteps(Object.fromEntries(kept), status)
    : { ...Object.fromEntries(kept), conditions: verdicts(conditions) };
}

/** Reasons of a run that goes well, from its first Job to its end. */
const onItsWay = new Set(['Applying', 'Starting', 'Running']);

function goesWell({ run, cause, conditions }: Fields): boolean {
  if (run === undefined || cause !== undefined || !Array.isArray(conditions)) return false;
  return (conditions as readonly Fields[]).every(({ reason }) => onItsWay.has(String(reason)));
}

/** What is left of a run that goes well without the steps that its Jobs know too. */
function withoutSteps({ phase: _, startTime: __, succeededIndexes, ...rest }: Fields, { children }: Fields): Fields {
  const jobs = Object.keys(children ?? {}).filter((name) => name.startsWith('Job/'));
  // One Job keeps its indexes to the end; shards with Jobs of their own are over one by one, and their Jobs may go.
  return jobs.length === 1 ? rest : { ...rest, succeededIndexes };
}

/** Of conditions what they say, without the numbers in their messages. */
const verdicts = (conditions: unknown): unknown =>
  Array.isArray(conditions)
    ? conditions.map((condition: Fields) => ({ ...condition, message: withoutNumbers(condition['message']) }))
    : undefined;

const withoutNumbers = (message: unknown): string => String(message).replace(/\d+/g, '0');
