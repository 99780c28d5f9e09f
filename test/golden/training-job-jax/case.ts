import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a JAX job is one Job whose worker 0 is the coordinator',
  expectations: {
    'members have one process each, with all accelerators of the member': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        completionMode: 'Indexed',
        completions: 4,
        template: { spec: { containers: [{ resources: { limits: { 'nvidia.com/gpu': '8' } } }] } },
      }),
    'the coordinator is reachable by a Service before it is ready': (objects) =>
      expect(only(objects, 'Service').spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true }),
    'all members must succeed': (objects) => expect(only(objects, 'Job').spec).not.toHaveProperty('successPolicy'),
  },
} satisfies GoldenCase;
