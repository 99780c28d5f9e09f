import { type Starter } from '../starter';

/** Three members with a volume each. */
export const statefulSetStarter: Starter<'PinterestStatefulSet'> = {
  kind: 'PinterestStatefulSet',
  word: 'stateful-set',
  name: 'cache',
  spec: {
    replicas: 3,
    volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '10Gi' }],
    ports: [{ name: 'redis', port: 6379 }],
    template: {
      spec: {
        securityContext: { runAsUser: 999, runAsGroup: 999, fsGroup: 999 },
        containers: [
          {
            name: 'redis',
            image: 'docker.io/library/redis:8.2.1',
            ports: [{ name: 'redis', containerPort: 6379 }],
            resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '256Mi' } },
          },
        ],
      },
    },
  },
};
