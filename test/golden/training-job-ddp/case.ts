import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a PyTorch job with equal master and workers is one Job',
  expectations: {
    'its one Job has a member for the master and for each worker': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({ completionMode: 'Indexed', completions: 4, parallelism: 4 }),
    'members have accelerators and run in the pool that has them': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        template: {
          spec: {
            nodeSelector: { 'example.com/pool': 'gpu' },
            containers: [{ resources: { limits: { 'nvidia.com/gpu': '1' } } }],
          },
        },
      }),
    'all of them share one checkpoint claim': (objects) =>
      expect(only(objects, 'PersistentVolumeClaim').spec).toMatchObject({ accessModes: ['ReadWriteMany'] }),
  },
} satisfies GoldenCase;
