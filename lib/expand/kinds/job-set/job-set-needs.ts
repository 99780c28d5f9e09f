import { type Problem, type Workload } from '../../../api';
import { shardsDiffer } from './shard';

type Need = readonly [asked: boolean, path: readonly (string | number)[], reason: string];

/** What a job set asks for that native Jobs cannot do by themselves. */
export function jobSetNeeds(workload: Workload<'PinterestJobSet'>): Problem[] {
  const { spec } = workload;
  const claims = (spec.volumeClaimTemplates ?? []).length > 0;
  const needs: Need[] = [
    [spec.failurePolicy.maxRestarts > 0, ['failurePolicy', 'maxRestarts'], 'starts a set anew, which no Job does'],
    [
      claims && spec.claimRetention === 'Retain',
      ['claimRetention'],
      'keeps volumes when the set is deleted, and plain claims go with the rest',
    ],
    ...(shardsDiffer(workload) ? acrossJobs(workload) : []),
  ];
  return needs.flatMap(([asked, path, reason]) => (asked ? [needed(['spec', ...path], reason)] : []));
}

/** One Indexed Job does these natively; over Jobs of their own somebody has to look at all of them. */
function acrossJobs({ spec }: Workload<'PinterestJobSet'>): Need[] {
  const why = 'and shards that differ are Jobs of their own, which know nothing of each other';
  return [
    [spec.successPolicy !== undefined, ['successPolicy'], `looks at all shards, ${why}`],
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
  remedy: "use emit: 'resource' where the controller runs, or leave it out",
});
