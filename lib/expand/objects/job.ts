import { type Spec } from '../../api';
import { formatIndexes } from './index-ranges';
import { type Pod } from '../pods/pod';
import { secondsOf } from './seconds';

type Completion = Pick<
  Spec<'PinterestJobSet'>,
  'retries' | 'activeDeadline' | 'podFailurePolicy' | 'podReplacementPolicy' | 'successPolicy' | 'suspend'
> & {
  readonly ttlAfterFinished?: string | undefined;
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
  const { retries, activeDeadline, podReplacementPolicy, successPolicy, suspend, ttlAfterFinished } = completion;
  const failureRules = completion.podFailurePolicy?.rules ?? [];
  const { completions, parallelism, indexed, maxFailed } = work;
  const hasFailureRules = failureRules.length > 0;
  return {
    ...(indexed && { completionMode: 'Indexed' }),
    completions,
    parallelism: Math.min(parallelism, completions),
    ...(indexed ? { backoffLimitPerIndex: retries } : { backoffLimit: retries }),
    ...(indexed && maxFailed !== undefined && { maxFailedIndexes: maxFailed }),
    ...(hasFailureRules && {
      podFailurePolicy: { rules: failureRules.map((rule) => (indexed ? rule : ofWholeJob(rule))) },
    }),
    ...(indexed && successPolicy && { successPolicy: { rules: [successRule(successPolicy)] } }),
    podReplacementPolicy: hasFailureRules || podReplacementPolicy === 'Failed' ? 'Failed' : 'TerminatingOrFailed',
    ...(activeDeadline !== undefined && { activeDeadlineSeconds: secondsOf(activeDeadline) }),
    ...(ttlAfterFinished !== undefined && { ttlSecondsAfterFinished: secondsOf(ttlAfterFinished) }),
    ...(suspend && { suspend: true }),
    template: pod.template,
  };
}

/** A Job without indexes has nothing smaller than itself to fail. */
const ofWholeJob = (rule: NonNullable<Completion['podFailurePolicy']>['rules'][number]) =>
  rule.action === 'FailIndex' ? { ...rule, action: 'FailJob' as const } : rule;

function successRule({ shards, count }: NonNullable<Completion['successPolicy']>) {
  return {
    ...(shards && { succeededIndexes: formatIndexes(shards) }),
    ...(count !== undefined && { succeededCount: count }),
  };
}
