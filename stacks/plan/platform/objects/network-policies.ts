import { type KubernetesObject } from '@pinion-platform/pinion';
import { isPlainObject, type ManifestInput } from '@pinion-platform/pinion/api';
import { programObjects } from './plain-object';
import { type PlatformStackConfig } from '../config/platform-stack-config';

/** Returns whether the Platform denies traffic by default. */
export const deniesByDefault = ({ platform: { network } }: Pick<PlatformStackConfig, 'platform'>): boolean =>
  isPlainObject(network) && network['defaultDeny'] === true;

/** Returns a policy that allows all egress of a component, if the Platform denies traffic by default; `access.to` would need named peers. */
export const egressPolicy = (config: PlatformStackConfig, namespace: string): KubernetesObject[] =>
  deniesByDefault(config)
    ? [
        programObjects(namespace, namespace)('networking.k8s.io/v1', 'NetworkPolicy', 'platform-outward', {
          spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] },
        }),
      ]
    : [];

type Access = NonNullable<ManifestInput<'PinterestService'>['spec']['access']>;

/** Returns an access rule that opens ports to any address, if the Platform denies traffic by default. */
export const allowIngressFrom = (config: PlatformStackConfig, ...ports: number[]): { access?: Access } =>
  deniesByDefault(config) ? { access: { from: [{ cidr: '0.0.0.0/0', ports }] } } : {};

/**
 * Returns a policy that lets Prometheus scrape a program whose other ports are restricted. Where its namespace is unknown,
 * all pods can, unless the Platform denies traffic by default.
 */
export const scrapePolicy = (
  config: PlatformStackConfig,
  namespace: string,
  program: string,
  port: string,
): KubernetesObject[] => {
  const from = config.observability?.namespace;
  if (from === undefined && deniesByDefault(config)) return [];
  return [
    programObjects(namespace, namespace)('networking.k8s.io/v1', 'NetworkPolicy', 'platform-scrapes', {
      spec: {
        podSelector: { matchLabels: { 'app.kubernetes.io/name': program } },
        policyTypes: ['Ingress'],
        ingress: [
          {
            ...(from !== undefined && {
              from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': from } } }],
            }),
            ports: [{ port, protocol: 'TCP' }],
          },
        ],
      },
    }),
  ];
};
