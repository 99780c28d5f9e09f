import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'overrides change some of the shards',
  expectations: {
    'a shard without an override runs the template': (objects) =>
      expect(only(objects, 'Job', 'train-lists-1').spec).toMatchObject({
        template: { spec: { containers: [{ args: ['--part=$(PINION_SHARD_INDEX)'], resources: { limits: { memory: '3Gi' } } }] } },
      }),
    'a replaced variable keeps its position, so that references to it still work': (objects) =>
      expect(only(objects, 'Job', 'train-lists-2').spec).toMatchObject({
        template: {
          spec: {
            containers: [
              {
                env: [
                  { name: 'PINION_SHARD_INDEX', value: '2' },
                  { name: 'PINION_SHARD_COUNT', value: '3' },
                  { name: 'REGION', value: 'apac' },
                  { name: 'TABLE', value: 'pins-$(REGION)' },
                  { name: 'LISTS', value: '$(REGION)-lists' },
                ],
              },
            ],
          },
        },
      }),
    'more memory raises the limit too, and another pool moves the shard': (objects) =>
      expect(only(objects, 'Job', 'train-lists-2').spec).toMatchObject({
        template: {
          spec: {
            nodeSelector: { 'example.com/pool': 'highmem' },
            containers: [{ resources: { requests: { cpu: '1', memory: '6Gi' }, limits: { memory: '6Gi' } } }],
          },
        },
      }),
    'a Job with one shard fails as a whole if a rule fails the index': (objects) =>
      expect(only(objects, 'Job', 'train-lists-0').spec).toMatchObject({
        backoffLimit: 1,
        podReplacementPolicy: 'Failed',
        podFailurePolicy: { rules: [{ action: 'FailJob' }, { action: 'Ignore' }] },
      }),
  },
} satisfies GoldenCase;
