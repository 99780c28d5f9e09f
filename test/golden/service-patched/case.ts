import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'what no field says is patched',
  expectations: {
    'a merge adds': (objects) =>
      expect(only(objects, 'Service').spec).toMatchObject({
        trafficDistribution: 'PreferSameZone',
        sessionAffinity: 'ClientIP',
      }),
    'null removes': (objects) => expect(only(objects, 'Ingress').spec).not.toHaveProperty('tls'),
    'operations change one place': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: { spec: { hostAliases: [{ ip: '10.0.0.9' }] } },
      }),
  },
} satisfies GoldenCase;
