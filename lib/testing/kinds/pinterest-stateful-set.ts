import { testTemplate, workloadMaker } from '../workload-maker';

/** Returns a valid PinterestStatefulSet: three members with a volume each. */
export const makeStatefulSet = workloadMaker('PinterestStatefulSet', {
  replicas: 3,
  volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }],
  ports: [{ name: 'http', port: 8080 }],
  template: testTemplate(8080),
});
