import { type Spec } from '../api';
import { formatIndexes } from './index-ranges';
import { type Pod } from './pod';
import { secondsOf } from './seconds';

type Completion = Pick<
  Spec<'PinterestJobSet'>,
  'retries' | 'deadline' | 'failureRules' | 'replacement' | 'success' | 'suspend'
> & {
  readonly ttl?: string | undefined;
};

/** How much work one Job is, and how much of it may fail. */
export interface JobWork {
  /** Pods that must succeed; more than one get an index each. */
  readonly completions: number;
  /** Pods at the same time. */
  readonly parallelism: number;
  /** Gives pods an index even where there is only one. */
  readonly indexed: boolean;
  /** Indexes that may fail before the rest is ended; all where left out. */
  readonly maxFailed?: number | undefined;
}

/** The annotation by which an Indexed Job tells a pod its index. */
export const completionIndexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** `spec` of a Job; a pod that failed stays to be looked at, and another one replaces it. */
export function jobSpec(completion: Completion, work: JobWork, pod: Pod): Readonly<Record<string, unknown>> {
  const { retries, deadline, failureRules, replacement, success, suspend, ttl } = completion;
  const { completions, parallelism, indexed, maxFailed } = work;
  const judged = failureRules !== undefined && failureRules.length > 0;
  return {
    ...(indexed && { completionMode: 'Indexed' }),
    completions,
    parallelism: Math.min(parallelism, completions),
    ...(indexed ? { backoffLimitPerIndex: retries } : { backoffLimit: retries }),
    ...(indexed && maxFailed !== undefined && { maxFailedIndexes: maxFailed }),
    ...(judged && { podFailurePolicy: { rules: failureRules.map((rule) => (indexed ? rule : ofWholeJob(rule))) } }),
    ...(indexed && success && { successPolicy: { rules: [successRule(success)] } }),
    podReplacementPolicy: judged || replacement === 'onceEnded' ? 'Failed' : 'TerminatingOrFailed',
    ...(deadline !== undefined && { activeDeadlineSeconds: secondsOf(deadline) }),
    ...(ttl !== undefined && { ttlSecondsAfterFinished: secondsOf(ttl) }),
    ...(suspend && { suspend: true }),
    template: pod.template,
  };
}

/** A Job without indexes has nothing smaller than itself to fail. */
const ofWholeJob = (rule: NonNullable<Completion['failureRules']>[number]) =>
  rule.action === 'FailIndex' ? { ...rule, action: 'FailJob' as const } : rule;

function successRule({ shards, count }: NonNullable<Completion['success']>) {
  return {
    ...(shards && { succeededIndexes: formatIndexes(shards) }),
    ...(count !== undefined && { succeededCount: count }),
  };
}
