import { type KubernetesObject } from '@pinion-platform/pinion';
import { apiVersion, type ManifestInput } from '@pinion-platform/pinion/api';
import { drainQueueName } from '../../names';
import { rbacObjects, rule } from '../objects/program-rbac';
import { restrictedSecurityContext, importantService, unprivileged } from '../objects/platform-workload';
import { platformAccounts, platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

const name = 'drain-consumer';
const namespace = platformProjects.scaling;

/** Drain consumer: drains nodes that their group terminates, then completes the lifecycle hook. */
export const drainConsumer = (config: PlatformStackConfig): KubernetesObject[] => [
  ...rbacObjects(name, {
    account: platformAccounts[name],
    cluster: [
      rule('', ['nodes'], ['list', 'patch']),
      rule('', ['pods'], ['list']),
      rule('', ['pods/eviction'], ['create']),
    ],
  }),
  { apiVersion, kind: 'PinterestService', metadata: { name, namespace }, spec: { ...service(config) } },
];

const service = (config: PlatformStackConfig): ManifestInput<'PinterestService'>['spec'] => ({
  ...importantService(config),
  // Both consume the queue, whose visibility timeout keeps a notice from the other; one stays available while the other's node is drained.
  replicas: 2,
  apiAccess: true,
  iamRole: config.roles[name],
  template: {
    spec: {
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      securityContext: unprivileged(65532),
      containers: [
        {
          name,
          image: config.nodeLifecycleImage,
          args: [name],
          env: [
            { name: 'AWS_REGION', value: config.region },
            { name: 'QUEUE', value: drainQueueName(config.cluster) },
          ],
          resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
          securityContext: restrictedSecurityContext,
        },
      ],
    },
  },
});
