import { type KubernetesObject } from 'pinion';
import { apiVersion, type Input } from 'pinion/api';
import { drainQueueName } from '../names';
import { accessOf, rule } from './access';
import { confined, importantService, unprivileged } from './own-workload';
import { platformAccounts, platformProjects } from './platform-accounts';
import { type PlatformFacts } from './platform-facts';

const name = 'drain-consumer';
const namespace = platformProjects.scaling;

/** The drain consumer: it moves pods away before a machine ends that its group ends, and only then lets it. */
export const drainConsumer = (facts: PlatformFacts): KubernetesObject[] => [
  ...accessOf(name, {
    account: platformAccounts[name],
    cluster: [
      rule('', ['nodes'], ['list', 'patch']),
      rule('', ['pods'], ['list']),
      rule('', ['pods/eviction'], ['create']),
    ],
  }),
  { apiVersion, kind: 'PinterestService', metadata: { name, namespace }, spec: { ...service(facts) } },
];

const service = (facts: PlatformFacts): Input<'PinterestService'>['spec'] => ({
  ...importantService(facts),
  // Both work: a notice that one has is kept from the other. One is left while the other's own node is drained.
  replicas: 2,
  apiAccess: true,
  iamRole: facts.roles[name],
  template: {
    spec: {
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      securityContext: unprivileged(65532),
      containers: [
        {
          name,
          image: facts.machinesImage,
          args: [name],
          env: [
            { name: 'AWS_REGION', value: facts.region },
            { name: 'QUEUE', value: drainQueueName(facts.cluster) },
          ],
          resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
          securityContext: confined,
        },
      ],
    },
  },
});
