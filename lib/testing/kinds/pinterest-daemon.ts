import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestDaemon without host access; its project must be an infrastructure project. */
export const makeDaemon = workloadMaker('PinterestDaemon', { template: testTemplate() });
