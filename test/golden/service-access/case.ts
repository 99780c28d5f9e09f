import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'closed except for the listed clients',
  expectations: {
    'one workload of another project may connect': (objects) =>
      expect(only(objects, 'NetworkPolicy', 'payments').spec).toMatchObject({
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            from: [
              {
                namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
                podSelector: { matchLabels: { 'pinterest.com/workload': 'checkout' } },
              },
            ],
            ports: [
              { port: 8080, protocol: 'TCP' },
              { port: 8080, protocol: 'UDP' },
            ],
          },
        ],
      }),
    'without an Ingress, ingress controllers have no access': (objects) =>
      expect(JSON.stringify(only(objects, 'NetworkPolicy', 'payments').spec)).not.toContain('"In"'),
    'without access rules it is closed if the Platform denies by default, except for DNS': (objects) =>
      expect(only(objects, 'NetworkPolicy', 'report').spec).toMatchObject({
        ingress: [],
        egress: [{ ports: [{ port: 53 }, { port: 53 }] }],
      }),
  },
} satisfies GoldenCase;
