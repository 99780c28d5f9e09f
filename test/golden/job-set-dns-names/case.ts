import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'shards of one Job find each other by name',
  expectations: {
    'a headless Service includes them before they are ready': (objects) =>
      expect(only(objects, 'Service', 'shuffle').spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true }),
    'their subdomain is that Service, and the Job gives them their host names': (objects) => {
      const { template } = only(objects, 'Job', 'shuffle').spec as { template: { spec: object } };
      expect(template.spec).toMatchObject({ subdomain: 'shuffle' });
      expect(template.spec).not.toHaveProperty('hostname');
    },
    'siblings reach each other regardless of access rules': (objects) =>
      expect(only(objects, 'NetworkPolicy').spec).toMatchObject({
        policyTypes: ['Ingress'],
        ingress: [{}, { from: [{ podSelector: { matchLabels: { 'pinterest.com/workload': 'shuffle' } } }] }],
      }),
  },
} satisfies GoldenCase;
