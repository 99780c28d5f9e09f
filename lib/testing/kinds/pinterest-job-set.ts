import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestJobSet with three equal shards. */
export const makeJobSet = workloadMaker('PinterestJobSet', { shards: 3, template: testTemplate() });

/** Returns a valid PinterestJobSet with two jobs: a driver, and three shards of workers. */
export const makeReplicatedJobSet = workloadMaker('PinterestJobSet', {
  replicatedJobs: [
    { name: 'driver', template: testTemplate() },
    { name: 'workers', shards: 3, template: testTemplate() },
  ],
});
