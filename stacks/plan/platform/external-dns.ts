import { type KubernetesObject } from 'pinion';
import { accessOf, rule, reading } from './access';
import { imageOf } from './add-ons';
import { entrancesOf } from './ingress-controller';
import { confined, importantService, ownWorkload, unprivileged } from './own-workload';
import { platformAccounts, platformProjects } from './platform-accounts';
import { type PlatformFacts } from './platform-facts';

const name = 'external-dns';
const port = 7979;

/** external-dns: it writes the host names of Ingresses into the hosted zone, and removes only what it wrote; nothing without a way in. */
export const externalDns = (facts: PlatformFacts): KubernetesObject[] =>
  entrancesOf(facts).length === 0
    ? []
    : [
        ...accessOf(name, {
          account: platformAccounts[name],
          cluster: [rule('networking.k8s.io', ['ingresses'], reading)],
        }),
        service(facts),
      ];

const flags = (facts: PlatformFacts): string[] => [
  '--source=ingress',
  ...entrancesOf(facts).map((entrance) => `--ingress-class=${entrance.class}`),
  '--provider=aws',
  `--aws-zone-type=${facts.hostedZone.type}`,
  `--zone-id-filter=${facts.hostedZone.id}`,
  `--domain-filter=${facts.hostedZone.domain}`,
  // Nobody's Ingress can take the name of the API.
  `--exclude-domains=${facts.endpoint}`,
  '--policy=sync',
  '--registry=txt',
  `--txt-owner-id=${facts.cluster}`,
  '--interval=1m',
  '--log-format=json',
];

function service(facts: PlatformFacts): KubernetesObject {
  const ask = { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 };
  return ownWorkload(facts, name, 'PinterestService', platformProjects.entrance, name, {
    ...importantService(facts),
    replicas: 1,
    // Two would undo each other's changes.
    rollout: { strategy: 'recreate' },
    apiAccess: true,
    iamRole: facts.roles[name],
    metrics: { port },
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: unprivileged(65532),
        containers: [
          {
            name,
            image: imageOf(facts, name),
            args: flags(facts),
            ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
            livenessProbe: { ...ask, failureThreshold: 2 },
            readinessProbe: { ...ask, failureThreshold: 6 },
            resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: { memory: '256Mi' } },
            securityContext: confined,
          },
        ],
      },
    },
  });
}
