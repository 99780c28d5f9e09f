import { type CanaryKind, canaryStepsWith } from './canary-kind';
import { canaryPodTemplate, canaryPort } from './canary-pod-template';

/** Canary test of PinterestService. */
export const pinterestServiceCanary: CanaryKind<'PinterestService'> = {
  shortName: 'service',
  steps: canaryStepsWith('dns', 'ingress', 'registered', 'quota-refusal'),
  spec: (options) => ({
    replicas: 1,
    loadBalancer: { port: canaryPort, exposure: options.exposure ?? 'Cluster' },
    template: canaryPodTemplate(options, 'serve'),
  }),
};
