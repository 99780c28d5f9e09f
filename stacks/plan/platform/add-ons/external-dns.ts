import { type KubernetesObject } from 'pinion';
import { rbacObjects, rule, reading } from '../objects/program-rbac';
import { addOnImage } from './add-ons';
import { ingressClassesOf } from './ingress-controller';
import {
  restrictedSecurityContext,
  importantService,
  platformWorkload,
  unprivileged,
} from '../objects/platform-workload';
import { platformAccounts, platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

const name = 'external-dns';
const port = 7979;

/**
 * Returns the objects of external-dns; none without an ingress controller.
 *
 * It manages DNS records for the host names of Ingresses, and removes only its own records.
 */
export const externalDns = (facts: PlatformStackConfig): KubernetesObject[] =>
  ingressClassesOf(facts).length === 0
    ? []
    : [
        ...rbacObjects(name, {
          account: platformAccounts[name],
          cluster: [rule('networking.k8s.io', ['ingresses'], reading)],
        }),
        service(facts),
      ];

const flags = (facts: PlatformStackConfig): string[] => [
  '--source=ingress',
  ...ingressClassesOf(facts).map(({ class: ingressClass }) => `--ingress-class=${ingressClass}`),
  '--provider=aws',
  `--aws-zone-type=${facts.hostedZone.type}`,
  `--zone-id-filter=${facts.hostedZone.id}`,
  `--domain-filter=${facts.hostedZone.domain}`,
  // No Ingress can use the host name of the API.
  `--exclude-domains=${facts.endpoint}`,
  '--policy=sync',
  '--registry=txt',
  `--txt-owner-id=${facts.cluster}`,
  '--interval=1m',
  '--log-format=json',
];

function service(facts: PlatformStackConfig): KubernetesObject {
  const ask = { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 };
  return platformWorkload(facts, name, 'PinterestService', platformProjects.ingress, name, {
    ...importantService(facts),
    replicas: 1,
    // Two would undo each other's changes.
    rollout: { strategy: 'Recreate' },
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
            image: addOnImage(facts, name),
            args: flags(facts),
            ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
            livenessProbe: { ...ask, failureThreshold: 2 },
            readinessProbe: { ...ask, failureThreshold: 6 },
            resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: { memory: '256Mi' } },
            securityContext: restrictedSecurityContext,
          },
        ],
      },
    },
  });
}
