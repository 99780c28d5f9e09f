import { type KubernetesObject } from '@pinion-platform/pinion';
import { rbacObjects, rule, readVerbs } from '../objects/program-rbac';
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
export const externalDns = (config: PlatformStackConfig): KubernetesObject[] =>
  ingressClassesOf(config).length === 0
    ? []
    : [
        ...rbacObjects(name, {
          account: platformAccounts[name],
          cluster: [rule('networking.k8s.io', ['ingresses'], readVerbs)],
        }),
        service(config),
      ];

const flags = (config: PlatformStackConfig): string[] => [
  '--source=ingress',
  ...ingressClassesOf(config).map(({ class: ingressClass }) => `--ingress-class=${ingressClass}`),
  '--provider=aws',
  `--aws-zone-type=${config.hostedZone.type}`,
  `--zone-id-filter=${config.hostedZone.id}`,
  `--domain-filter=${config.hostedZone.domain}`,
  // No Ingress can use the host name of the API.
  `--exclude-domains=${config.endpoint}`,
  '--policy=sync',
  '--registry=txt',
  `--txt-owner-id=${config.cluster}`,
  '--interval=1m',
  '--log-format=json',
];

function service(config: PlatformStackConfig): KubernetesObject {
  const probe = { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 };
  return platformWorkload(config, name, 'PinterestService', platformProjects.ingress, name, {
    ...importantService(config),
    replicas: 1,
    // Two replicas would undo each other's changes.
    rollout: { strategy: 'Recreate' },
    apiAccess: true,
    iamRole: config.roles[name],
    metrics: { port },
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: unprivileged(65532),
        containers: [
          {
            name,
            image: addOnImage(config, name),
            args: flags(config),
            ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
            livenessProbe: { ...probe, failureThreshold: 2 },
            readinessProbe: { ...probe, failureThreshold: 6 },
            resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: { memory: '256Mi' } },
            securityContext: restrictedSecurityContext,
          },
        ],
      },
    },
  });
}
