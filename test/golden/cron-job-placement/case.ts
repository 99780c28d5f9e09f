import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'runs are placed, isolated and patched like any workload',
  expectations: {
    'they run in the requested pool and zones': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({
        jobTemplate: { spec: { template: { spec: { nodeSelector: { 'example.com/pool': 'nvme' }, tolerations: [{ key: 'nvme' }] } } } },
      }),
    'they can reach DNS, the database and nothing else': (objects) => expect(only(objects, 'NetworkPolicy').spec).toMatchObject({ policyTypes: ['Egress'] }),
    'the patch is applied last': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({ jobTemplate: { spec: { template: { spec: { enableServiceLinks: true } } } } }),
  },
} satisfies GoldenCase;
