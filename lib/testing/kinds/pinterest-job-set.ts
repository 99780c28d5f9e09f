import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestJobSet with three equal shards. */
export const makeJobSet = workloadMaker('PinterestJobSet', { shards: 3, template: testTemplate() });
