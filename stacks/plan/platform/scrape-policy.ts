import { type KubernetesObject } from 'pinion';
import { deniesByDefault } from './outward-policy';
import { objectsOf } from './plain-object';
import { type PlatformFacts } from './platform-facts';

/** Lets Prometheus reach the metrics of a program, where the Platform denies by default and the namespace of Prometheus is told. */
export const scrapePolicy = (
  facts: PlatformFacts,
  namespace: string,
  program: string,
  port: string,
): KubernetesObject[] => {
  const from = facts.observability?.namespace;
  if (from === undefined || !deniesByDefault(facts)) return [];
  return [
    objectsOf(namespace, namespace)('networking.k8s.io/v1', 'NetworkPolicy', 'platform-scrapes', {
      spec: {
        podSelector: { matchLabels: { 'app.kubernetes.io/name': program } },
        policyTypes: ['Ingress'],
        ingress: [
          {
            from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': from } } }],
            ports: [{ port, protocol: 'TCP' }],
          },
        ],
      },
    }),
  ];
};
