import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestTrainingJob: PyTorch with one master and two workers. */
export const makeTrainingJob = workloadMaker('PinterestTrainingJob', {
  framework: 'pytorch',
  roles: { master: {}, worker: { replicas: 2 } },
  template: testTemplate(),
});
