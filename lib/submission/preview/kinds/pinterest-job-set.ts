import { type KindScale } from './kind-scale';

/**
 * Returns how a PinterestJobSet scales: by its parallelism, because the number of shards is part of the work; with several
 * jobs, by that of the largest one.
 */
export const pinterestJobSetScale: KindScale<'PinterestJobSet'> = ({
  replicatedJobs,
  shards,
  parallelism = shards,
}) => {
  if (!replicatedJobs) return { path: ['parallelism'], current: parallelism, min: 1 };
  const counts = replicatedJobs.map((job) => (job.parallelism ?? job.shards) * job.replicas);
  const largest = counts.indexOf(Math.max(...counts));
  const job = replicatedJobs[largest];
  return job && { path: ['replicatedJobs', largest, 'parallelism'], current: job.parallelism ?? job.shards, min: 1 };
};
