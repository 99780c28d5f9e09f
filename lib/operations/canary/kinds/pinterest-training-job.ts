import { type CanaryKind, canaryStepsWith } from './canary-kind';
import { canaryPodTemplate } from './canary-pod-template';

/** Canary test of PinterestTrainingJob. */
export const pinterestTrainingJobCanary: CanaryKind<'PinterestTrainingJob'> = {
  shortName: 'training',
  steps: canaryStepsWith(),
  spec: (options) => ({
    framework: 'pytorch',
    allowLoss: ['Progress'],
    ttlAfterFinished: '10m',
    roles: { worker: { replicas: 1 } },
    template: canaryPodTemplate(options, 'work'),
  }),
};
