import { type CanaryKind, canaryStepsWith } from './canary-kind';
import { canaryPodTemplate, canaryPort } from './canary-pod-template';

/** Canary test of PinterestStatefulSet. */
export const pinterestStatefulSetCanary: CanaryKind<'PinterestStatefulSet'> = {
  shortName: 'stateful',
  steps: canaryStepsWith('dns', 'registered'),
  spec: (options) => ({
    replicas: 1,
    ports: [{ name: 'http', port: canaryPort }],
    template: canaryPodTemplate(options, 'serve'),
  }),
};
