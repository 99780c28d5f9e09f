import { type CanaryKind, canaryStepsWith } from './canary-kind';
import { canaryPodTemplate } from './canary-pod-template';

/** Canary test of PinterestDaemon. */
export const pinterestDaemonCanary: CanaryKind<'PinterestDaemon'> = {
  shortName: 'daemon',
  steps: canaryStepsWith(),
  spec: (options) => ({
    tolerateAll: false,
    template: canaryPodTemplate(options, 'serve', { nodeSelector: { 'kubernetes.io/hostname': options.node } }),
  }),
};
