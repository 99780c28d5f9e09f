import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'patches set what no field can',
  expectations: {
    'a merge patch adds fields': (objects) =>
      expect(only(objects, 'Service').spec).toMatchObject({
        trafficDistribution: 'PreferSameZone',
        sessionAffinity: 'ClientIP',
      }),
    'null removes': (objects) => expect(only(objects, 'Deployment').spec).not.toHaveProperty('progressDeadlineSeconds'),
    'a JSON patch changes one field': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: { spec: { hostAliases: [{ ip: '10.0.0.9' }] } },
      }),
  },
} satisfies GoldenCase;
