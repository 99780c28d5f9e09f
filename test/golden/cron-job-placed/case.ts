import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'runs are placed, fenced in and patched like any workload',
  expectations: {
    'they run in the pool and zones that were asked for': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({
        jobTemplate: { spec: { template: { spec: { nodeSelector: { 'example.com/pool': 'nvme' }, tolerations: [{ key: 'nvme' }] } } } },
      }),
    'they reach names, the database and nothing else': (objects) => expect(only(objects, 'NetworkPolicy').spec).toMatchObject({ policyTypes: ['Egress'] }),
    'the patch has the last word': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({ jobTemplate: { spec: { template: { spec: { priorityClassName: 'standard' } } } } }),
  },
} satisfies GoldenCase;
