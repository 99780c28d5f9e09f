import { type CanaryKind, canaryStepsWith } from './canary-kind';
import { canaryPodTemplate } from './canary-pod-template';

/** Canary test of PinterestWorker. */
export const pinterestWorkerCanary: CanaryKind<'PinterestWorker'> = {
  shortName: 'worker',
  steps: canaryStepsWith(),
  spec: (options) => ({ template: canaryPodTemplate(options, 'work') }),
};
