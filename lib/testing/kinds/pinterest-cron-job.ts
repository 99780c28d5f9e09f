import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestCronJob: every night at two. */
export const makeCronJob = workloadMaker('PinterestCronJob', { schedule: '0 2 * * *', template: testTemplate() });
