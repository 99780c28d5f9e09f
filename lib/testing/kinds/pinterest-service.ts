import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestService with one container on port 8080. */
export const makeService = workloadMaker('PinterestService', {
  loadBalancer: { port: 8080 },
  template: testTemplate(8080),
});
