import { type KubernetesObject } from '@pinion-platform/pinion';
import { type ManifestInput } from '@pinion-platform/pinion/api';
import { rbacObjects, rule } from '../objects/program-rbac';
import { addOnImage } from './add-ons';
import { balancerOf, ingressBalancer, ingressPorts, sendsProxyProtocol, type Exposure } from './ingress-balancer';
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
      service(config, name, exposure, ingressClass),
    ];
  });

/** Returns the load balancers; they need ingress controllers that trust the addresses that they state. */
export const ingressBalancers = (config: PlatformStackConfig): KubernetesObject[] =>
  ingressClassesOf(config).flatMap(({ exposure }) => ingressBalancer(exposure));

/** It reads secrets of all namespaces, because each certificate is in the namespace of its workload. */
const rules = [
  rule('', ['namespaces', 'secrets', 'services'], ['list', 'watch']),
  rule('discovery.k8s.io', ['endpointslices'], ['list', 'watch']),
  rule('networking.k8s.io', ['ingressclasses', 'ingresses'], ['list', 'watch']),
  rule('networking.k8s.io', ['ingresses/status'], ['update']),
];

const controllerOf = (exposure: Exposure): string => `pinion/ingress-${exposure}`;
const flags = (config: PlatformStackConfig, exposure: Exposure, ingressClass: string): string[] => {
  const provider = '--providers.kubernetesingressnginx';
  return [
    `--entrypoints.web.address=:${ingressPorts.web}/tcp`,
    `--entrypoints.secure.address=:${ingressPorts.secure}/tcp`,
    '--entrypoints.secure.http.tls=true',
    `--entrypoints.traefik.address=:${ingressPorts.status}/tcp`,
    `--entrypoints.metrics.address=:${ingressPorts.metrics}/tcp`,
    ...(sendsProxyProtocol(exposure) ? proxyFlags(config) : []),
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

/**
 * Returns the flags with which only load balancers state the address of a client. They check `/ping`, which fails as
 * soon as a pod terminates: it accepts connections until they have noticed.
 */
const proxyFlags = ({ network }: PlatformStackConfig): string[] =>
  ['web', 'secure', 'traefik'].flatMap((name) => [
    `--entrypoints.${name}.proxyprotocol.trustedips=${network.internalBalancers.join(',')}`,
    `--entrypoints.${name}.transport.lifecycle.requestacceptgracetimeout=${drainSeconds}s`,
  ]);

/** The load balancer sends requests until its health check has failed twice. */
const drainSeconds = 60;

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
  const timing = { periodSeconds: 10, timeoutSeconds: 2 };
  const probe = { httpGet: { path: '/ping', port: 'status' }, ...timing };
  // Nodes forward no connections to pods that are not ready, not even while load balancers still send some.
  const listening = { tcpSocket: { port: 'web' }, ...timing };
  return platformWorkload(config, program, 'PinterestService', namespace, name, {
    ...importantService(config),
    autoscaling: { minReplicas: Math.max(2, config.zones.length), maxReplicas: 24, cpu: 70 },
    apiAccess: true,
    metrics: { port: ingressPorts.metrics },
    termination: { gracePeriod: '120s', drain: sendsProxyProtocol(exposure) ? '0s' : `${drainSeconds}s` },
    ...allowIngressFrom(
      config,
      ingressPorts.web,
      ingressPorts.secure,
      ...(sendsProxyProtocol(exposure) ? [ingressPorts.status] : []),
    ),
    template: {
      spec: {
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        securityContext: unprivileged(65532),
        containers: [
          {
            name: program,
            image: addOnImage(config, program),
            args: flags(config, exposure, ingressClass),
            env: [
              { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
            ],
            ports: [
              port('web', ingressPorts.web),
              port('secure', ingressPorts.secure),
              port('status', ingressPorts.status),
              port('metrics', ingressPorts.metrics),
            ],
            livenessProbe: { ...probe, failureThreshold: 3 },
            readinessProbe: { ...(sendsProxyProtocol(exposure) ? listening : probe), failureThreshold: 1 },
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
