import { type Problem, type Workload } from '../../../api';
import { useController } from '../use-controller';
import { hasTemplate, shardsDiffer } from './shard';

type Need = readonly [isUsed: boolean, path: readonly (string | number)[], reason: string];

/** Lists features of a job set that native Jobs do not provide. */
export function jobSetNeeds(workload: Workload<'PinterestJobSet'>): Problem[] {
  const { spec } = workload;
  const hasClaims = (spec.volumeClaimTemplates ?? []).length > 0;
  const needs: Need[] = [
    [
      spec.failurePolicy.maxRestarts > 0,
      ['failurePolicy', 'maxRestarts'],
      'restarts the whole set, which a Job cannot do',
    ],
    [
      hasClaims && spec.claimRetention === 'Retain',
      ['claimRetention'],
      'keeps volumes when the set is deleted, but without the controller, claims are deleted with it',
    ],
    ...(shardsDiffer(workload) ? separateJobNeeds(workload) : []),
    ...(hasTemplate(workload) ? [] : jobNeeds(workload)),
  ];
  return needs.flatMap(([isUsed, path, reason]) => (isUsed ? [needsControllerProblem(['spec', ...path], reason)] : []));
}

/** Lists features that a single Indexed Job has natively, but separate Jobs have only with the controller. */
function separateJobNeeds({ spec }: Workload<'PinterestJobSet'>): Need[] {
  const cause = 'but shards that differ run as separate, independent Jobs';
  return [
    [spec.successPolicy !== undefined, ['successPolicy'], `depends on all shards, ${cause}`],
    [
      spec.failurePolicy.maxFailedShards !== undefined,
      ['failurePolicy', 'maxFailedShards'],
      `counts failures of all shards, ${cause}`,
    ],
    [(spec.parallelism ?? spec.shards) < spec.shards, ['parallelism'], `limits concurrent shards, ${cause}`],
    ...(spec.podFailurePolicy?.rules ?? []).map(({ action }, index): Need => [
      action === 'FailJob',
      ['podFailurePolicy', 'rules', index, 'action'],
      `fails all shards, ${cause}`,
    ]),
  ];
}

/** Lists features of a set of several jobs that depend on several Jobs. */
function jobNeeds({ spec }: Workload<'PinterestJobSet'>): Need[] {
  const cause = 'but native Jobs are independent of each other';
  return [
    [spec.successPolicy !== undefined, ['successPolicy'], `ends all Jobs once some have succeeded, ${cause}`],
    [spec.failurePolicy.rules !== undefined, ['failurePolicy', 'rules'], `decides on the whole set, ${cause}`],
    ...(spec.replicatedJobs ?? []).map(({ dependsOn = [] }, index): Need => [
      dependsOn.length > 0,
      ['replicatedJobs', index, 'dependsOn'],
      `waits for other Jobs, ${cause}`,
    ]),
  ];
}

const needsControllerProblem = (path: Problem['path'], reason: string): Problem => ({
  code: 'needs-controller',
  path,
  reason,
  remedy: `${useController}, or remove it`,
});
