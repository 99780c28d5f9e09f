import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'failure rules apply to pods as in a Job',
  expectations: {
    'rules are copied unchanged': (objects, workload) =>
      expect(only(objects, 'Job').spec).toMatchObject({ podFailurePolicy: { rules: (workload.spec as unknown as { podFailurePolicy: { rules: object[] } }).podFailurePolicy.rules } }),
    'the fourth failed shard ends the rest': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({ backoffLimitPerIndex: 5, maxFailedIndexes: 3 }),
    'a pod is replaced after it has ended, because only then can a rule match it': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        podReplacementPolicy: 'Failed',
        template: { spec: { restartPolicy: 'Never' } },
      }),
  },
} satisfies GoldenCase;
