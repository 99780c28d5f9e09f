import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestStatefulSet with three members, each with a volume. */
export const makeStatefulSet = workloadMaker('PinterestStatefulSet', {
  replicas: 3,
  volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }],
  ports: [{ name: 'http', port: 8080 }],
  template: testTemplate(8080),
});
