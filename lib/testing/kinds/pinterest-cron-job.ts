import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestCronJob that runs every night at 02:00. */
export const makeCronJob = workloadMaker('PinterestCronJob', { schedule: '0 2 * * *', template: testTemplate() });
