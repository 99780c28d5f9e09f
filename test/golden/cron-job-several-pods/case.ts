import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'each pod of a run with several pods knows its index',
  expectations: {
    'its Job has an index for each pod': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({
        schedule: '0 2 * * 0',
        jobTemplate: { spec: { completionMode: 'Indexed', completions: 6, parallelism: 2, backoffLimitPerIndex: 3 } },
      }),
    'pods know their index, the count and the run': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({
        jobTemplate: {
          spec: {
            template: { spec: { containers: [{ env: [{ name: 'PINION_RUN' }, { name: 'PINION_SHARD_INDEX' }, { name: 'PINION_SHARD_COUNT', value: '6' }] }] } },
          },
        },
      }),
    'one part that fails permanently does not end the others': (objects) =>
      expect(only(objects, 'CronJob').spec).toMatchObject({ jobTemplate: { spec: { podFailurePolicy: { rules: [{ action: 'FailIndex' }] } } } }),
  },
} satisfies GoldenCase;
