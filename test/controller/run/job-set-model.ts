import { type ManifestInput } from '../../../lib/api';

type Spec = ManifestInput<'PinterestJobSet'>['spec'];

/** Job of a modeled set. */
export interface ModelJob {
  readonly name: string;
  readonly replicas: number;
  readonly shards: number;
  readonly maxFailedShards?: number;
  readonly dependsOn: readonly { readonly name: string; readonly status: 'Ready' | 'Complete' }[];
}

/** Modeled set, in the words of the JobSet API. */
export interface ModelSet {
  readonly jobs: readonly ModelJob[];
  readonly maxRestarts: number;
  readonly rules: NonNullable<NonNullable<Spec['failurePolicy']>['rules']>;
  readonly successPolicy?: { readonly operator: 'All' | 'Any'; readonly jobs?: readonly string[] };
}

/** End of a Job of one attempt. */
export interface JobEnd {
  readonly attempt: number;
  readonly job: string;
  readonly replica: number;
  readonly succeeded: boolean;
  readonly reason: string;
}

/** Outcome of a set. */
export interface ModelOutcome {
  readonly outcome?: 'Succeeded' | 'Failed';
  readonly restarts: number;
  readonly uncounted: number;
}

/**
 * Returns the outcome of a set as the JobSet API documents it: the first failed Job of an attempt has the action of the
 * first rule that matches it, or RestartJobSet; the set succeeds once the Jobs of its success policy have.
 */
export function modelOutcome(set: ModelSet, ends: readonly JobEnd[]): ModelOutcome {
  let restarts = 0;
  let uncounted = 0;
  for (;;) {
    const decision = decisionOf(
      set,
      ends.filter(({ attempt }) => attempt === restarts),
    );
    if (decision === undefined) return { restarts, uncounted };
    if (decision === 'Complete') return { outcome: 'Succeeded', restarts, uncounted };
    const isCounted = decision === 'RestartJobSet';
    if (decision === 'FailJobSet' || (isCounted && restarts - uncounted >= set.maxRestarts))
      return { outcome: 'Failed', restarts, uncounted };
    restarts += 1;
    if (!isCounted) uncounted += 1;
  }
}

function decisionOf(set: ModelSet, ends: readonly JobEnd[]) {
  const complete = new Set<string>();
  for (const end of ends) {
    if (!end.succeeded) return actionOf(set, end);
    complete.add(`${end.job} ${end.replica}`);
    if (isComplete(set, complete)) return 'Complete' as const;
  }
  return undefined;
}

function actionOf({ rules }: ModelSet, { job, reason }: JobEnd) {
  for (const rule of rules) {
    const matchesJob = !rule.jobs || rule.jobs.includes(job);
    const matchesReason = !rule.reasons || (rule.reasons as readonly string[]).includes(reason);
    if (matchesJob && matchesReason) return rule.action;
  }
  return 'RestartJobSet' as const;
}

function isComplete({ jobs, successPolicy }: ModelSet, complete: ReadonlySet<string>): boolean {
  const targets = jobs.filter(({ name }) => !successPolicy?.jobs || successPolicy.jobs.includes(name));
  const wanted = targets.flatMap(({ name, replicas }) =>
    Array.from({ length: replicas }, (_, replica) => `${name} ${replica}`),
  );
  return successPolicy?.operator === 'Any'
    ? wanted.some((job) => complete.has(job))
    : wanted.every((job) => complete.has(job));
}
