import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'equal shards are the indexes of one Job',
  expectations: {
    'there is one Indexed Job with an index for each shard': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        completionMode: 'Indexed',
        completions: 8,
        parallelism: 4,
        activeDeadlineSeconds: 7200,
      }),
    'each shard may fail four times, and the others continue without it': (objects) => {
      expect(only(objects, 'Job').spec).toMatchObject({ backoffLimitPerIndex: 3 });
      expect(only(objects, 'Job').spec).not.toHaveProperty('maxFailedIndexes');
    },
    'the index variable is declared before variables that may refer to it': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        template: {
          spec: {
            containers: [
              {
                env: expect.arrayContaining([
                  {
                    name: 'PINION_SHARD_INDEX',
                    valueFrom: {
                      fieldRef: { fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']" },
                    },
                  },
                  { name: 'PINION_SHARD_COUNT', value: '8' },
                ]),
              },
            ],
          },
        },
      }),
  },
} satisfies GoldenCase;
