import { type CanaryKind, canaryStepsWith } from './canary-kind';
import { canaryPodTemplate } from './canary-pod-template';

/** Canary test of PinterestJobSet. */
export const pinterestJobSetCanary: CanaryKind<'PinterestJobSet'> = {
  shortName: 'jobset',
  steps: canaryStepsWith(),
  spec: (options) => ({
    shards: 1,
    allowLoss: ['Progress'],
    ttlAfterFinished: '10m',
    template: canaryPodTemplate(options, 'work'),
  }),
};
