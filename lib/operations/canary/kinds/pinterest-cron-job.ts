import { apiVersion, type ManifestInput } from '../../../api';
import { type CanaryKind, canaryStepsWith } from './canary-kind';
import { canaryPodTemplate } from './canary-pod-template';

/** Fires once in four years: the canary only creates and changes the CronJob. */
const schedule = '0 0 29 2 *';

/** Canary test of PinterestCronJob. */
export const pinterestCronJobCanary: CanaryKind<'PinterestCronJob'> = {
  shortName: 'cron',
  steps: canaryStepsWith(),
  spec: (options) => ({ schedule, template: canaryPodTemplate(options, 'work') }),
};

/** Returns a suspended workload, which a workflow of the canary deploys between runs. */
export const suspendedWorkload = (name: string, namespace: string): ManifestInput<'PinterestCronJob'> => ({
  apiVersion,
  kind: 'PinterestCronJob',
  metadata: { name, namespace },
  spec: {
    schedule,
    suspend: true,
    version: '1.0.0',
    template: {
      spec: {
        securityContext: { runAsUser: 65532, runAsGroup: 65532 },
        containers: [{ name: 'rest', image: 'registry.k8s.io/pause:3.10' }],
      },
    },
  },
});
