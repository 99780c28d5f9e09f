import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestWorker with one pod. */
export const makeWorker = workloadMaker('PinterestWorker', { template: testTemplate() });
