import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'closed but for those who are named',
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
    'without an Ingress its controllers have no access': (objects) =>
      expect(JSON.stringify(only(objects, 'NetworkPolicy', 'payments').spec)).not.toContain('"In"'),
    'who says nothing is closed where the Platform denies by default, names apart': (objects) =>
      expect(only(objects, 'NetworkPolicy', 'report').spec).toMatchObject({
        ingress: [],
        egress: [{ ports: [{ port: 53 }, { port: 53 }] }],
      }),
  },
} satisfies GoldenCase;
