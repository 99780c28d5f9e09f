import { type Problem, type Workload } from '../../../api';
import { shardsDiffer } from './shard';

type Need = readonly [asked: boolean, path: readonly (string | number)[], reason: string];

/** Lists what a job set requires that native Jobs cannot do by themselves. */
export function jobSetNeeds(workload: Workload<'PinterestJobSet'>): Problem[] {
  const { spec } = workload;
  const claims = (spec.volumeClaimTemplates ?? []).length > 0;
  const needs: Need[] = [
    [spec.failurePolicy.maxRestarts > 0, ['failurePolicy', 'maxRestarts'], 'restarts a set, which no Job does'],
    [
      claims && spec.claimRetention === 'Retain',
      ['claimRetention'],
      'keeps volumes when the set is deleted, and plain claims are deleted with it',
    ],
    ...(shardsDiffer(workload) ? acrossJobs(workload) : []),
  ];
  return needs.flatMap(([asked, path, reason]) => (asked ? [needed(['spec', ...path], reason)] : []));
}

/** Lists features that one Indexed Job has natively, but separate Jobs have only with the controller. */
function acrossJobs({ spec }: Workload<'PinterestJobSet'>): Need[] {
  const why = 'and shards that differ are separate Jobs, which do not know of each other';
  return [
    [spec.successPolicy !== undefined, ['successPolicy'], `depends on all shards, ${why}`],
    [
      spec.failurePolicy.maxFailedShards !== undefined,
      ['failurePolicy', 'maxFailedShards'],
      `counts failures of all shards, ${why}`,
    ],
    [(spec.parallelism ?? spec.shards) < spec.shards, ['parallelism'], `holds shards back, ${why}`],
    ...(spec.podFailurePolicy?.rules ?? []).map(({ action }, index): Need => [
      action === 'FailJob',
      ['podFailurePolicy', 'rules', index, 'action'],
      `ends all shards, ${why}`,
    ]),
  ];
}

const needed = (path: Problem['path'], reason: string): Problem => ({
  code: 'needs-controller',
  path,
  reason,
  remedy: "use emit: 'resource' where the controller runs, or remove it",
});
