import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestTrainingJob: PyTorch with three replicas. */
export const makeTrainingJob = workloadMaker('PinterestTrainingJob', {
  framework: 'pytorch',
  roles: { master: {}, worker: { replicas: 2 } },
  template: testTemplate(),
});
