import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'failure rules judge pods as in a Job',
  expectations: {
    'rules stay as they are written': (objects, workload) =>
      expect(only(objects, 'Job').spec).toMatchObject({ podFailurePolicy: { rules: (workload.spec as unknown as { podFailurePolicy: { rules: object[] } }).podFailurePolicy.rules } }),
    'the fourth failed shard ends the rest': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({ backoffLimitPerIndex: 5, maxFailedIndexes: 3 }),
    'a pod is replaced once it has ended, for only then can a rule judge it': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        podReplacementPolicy: 'Failed',
        template: { spec: { restartPolicy: 'Never' } },
      }),
  },
} satisfies GoldenCase;
