import { type KubernetesObject } from 'pinion';
import { type ManifestInput } from 'pinion/api';
import { rbacObjects, rule } from '../objects/program-rbac';
import { addOnImage } from './add-ons';
import { allowIngressFrom } from '../objects/network-policies';
import {
  restrictedSecurityContext,
  importantService,
  platformWorkload,
  unprivileged,
} from '../objects/platform-workload';
import { programObjects } from '../objects/plain-object';
import { platformProjects } from '../config/platform-accounts';
import { type PlatformStackConfig } from '../config/platform-stack-config';

const program = 'traefik';
const namespace = platformProjects.ingress;
const ports = { web: 8000, secure: 8443, status: 8080, metrics: 9100 } as const;

/** Exposure of an ingress controller. */
type Exposure = 'internal' | 'external';

type PlatformIngress = NonNullable<ManifestInput<'Platform'>['spec']['ingress']>;

/** Returns the exposures that the Platform configures, with their Ingress classes. */
export function ingressClassesOf({
  platform,
}: PlatformStackConfig): { readonly exposure: Exposure; readonly class: string }[] {
  const ingresses = (platform['ingress'] ?? {}) as PlatformIngress;
  return (['internal', 'external'] as const).flatMap((exposure) => {
    const ingress = ingresses[exposure];
    return ingress ? [{ exposure, class: ingress.ingressClassName }] : [];
  });
}

/**
 * Returns one ingress controller per exposure, so that internal hosts are never served to the internet. It supports the
 * annotations that pinion sets on Ingresses.
 */
export const ingressControllers = (config: PlatformStackConfig): KubernetesObject[] =>
  ingressClassesOf(config).flatMap(({ exposure, class: ingressClass }) => {
    const name = `ingress-${exposure}`;
    const object = programObjects(name, namespace);
    return [
      object(
        'networking.k8s.io/v1',
        'IngressClass',
        ingressClass,
        { spec: { controller: controllerOf(exposure) } },
        { clusterWide: true },
      ),
      ...rbacObjects(name, { account: { namespace, name }, cluster: rules }),
      object('v1', 'Service', balancerOf(exposure), { spec: balancer(name) }, { annotations: annotationsOf(exposure) }),
      service(config, name, exposure, ingressClass),
    ];
  });

/** It reads secrets of all namespaces, because each certificate is in the namespace of its workload. */
const rules = [
  rule('', ['namespaces', 'secrets', 'services'], ['list', 'watch']),
  rule('discovery.k8s.io', ['endpointslices'], ['list', 'watch']),
  rule('networking.k8s.io', ['ingressclasses', 'ingresses'], ['list', 'watch']),
  rule('networking.k8s.io', ['ingresses/status'], ['update']),
];

const controllerOf = (exposure: Exposure): string => `pinion/ingress-${exposure}`;
const balancerOf = (exposure: Exposure): string => `ingress-${exposure}-balancer`;

/** Returns a network load balancer that routes to nodes with a pod of the controller; the external one preserves client IPs. */
const balancer = (name: string) => ({
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Local',
  selector: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': namespace },
  ports: [
    { name: 'web', port: 80, targetPort: ports.web, protocol: 'TCP' },
    { name: 'secure', port: 443, targetPort: ports.secure, protocol: 'TCP' },
  ],
});

function annotationsOf(exposure: Exposure): Record<string, string> {
  const prefix = 'service.beta.kubernetes.io/aws-load-balancer';
  return {
    [`${prefix}-type`]: 'nlb',
    ...(exposure === 'internal' && { [`${prefix}-internal`]: 'true' }),
    [`${prefix}-cross-zone-load-balancing-enabled`]: 'true',
    // Requests of a pod to an internal host have the address of its node: if routed back to that node, source and
    // destination of the packets would be the same.
    ...(exposure === 'internal' && { [`${prefix}-target-group-attributes`]: 'preserve_client_ip.enabled=false' }),
  };
}

const flags = (exposure: Exposure, ingressClass: string): string[] => {
  const provider = '--providers.kubernetesingressnginx';
  return [
    `--entrypoints.web.address=:${ports.web}/tcp`,
    `--entrypoints.secure.address=:${ports.secure}/tcp`,
    '--entrypoints.secure.http.tls=true',
    `--entrypoints.traefik.address=:${ports.status}/tcp`,
    `--entrypoints.metrics.address=:${ports.metrics}/tcp`,
    '--ping=true',
    '--metrics.prometheus=true',
    '--metrics.prometheus.entrypoint=metrics',
    provider,
    `${provider}.ingressclass=${ingressClass}`,
    `${provider}.controllerclass=${controllerOf(exposure)}`,
    `${provider}.httpentrypoint=web`,
    `${provider}.httpsentrypoint=secure`,
    `${provider}.publishservice=${namespace}/${balancerOf(exposure)}`,
    '--global.checknewversion=false',
    '--global.sendanonymoususage=false',
    '--log.level=INFO',
    '--log.format=json',
  ];
};

function service(
  config: PlatformStackConfig,
  name: string,
  exposure: Exposure,
  ingressClass: string,
): KubernetesObject {
  const port = (portName: string, containerPort: number) => ({
    name: portName,
    containerPort,
    protocol: 'TCP' as const,
  });
  const probe = { httpGet: { path: '/ping', port: 'status' }, periodSeconds: 10, timeoutSeconds: 2 };
  return platformWorkload(config, program, 'PinterestService', namespace, name, {
    ...importantService(config),
    autoscaling: { minReplicas: Math.max(2, config.zones.length), maxReplicas: 24, cpu: 70 },
    apiAccess: true,
    metrics: { port: ports.metrics },
    // The load balancer sends requests until its health check has failed twice.
    termination: { gracePeriod: '120s', drain: '60s' },
    ...allowIngressFrom(config, ports.web, ports.secure),
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: unprivileged(65532),
        containers: [
          {
            name: program,
            image: addOnImage(config, program),
            args: flags(exposure, ingressClass),
            env: [
              { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
            ],
            ports: [
              port('web', ports.web),
              port('secure', ports.secure),
              port('status', ports.status),
              port('metrics', ports.metrics),
            ],
            livenessProbe: { ...probe, failureThreshold: 3 },
            readinessProbe: { ...probe, failureThreshold: 1 },
            resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '1Gi' } },
            securityContext: restrictedSecurityContext,
            volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          },
        ],
        volumes: [{ name: 'tmp', emptyDir: {} }],
      },
    },
  });
}
