import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a set succeeds when some of its shards have',
  expectations: {
    'the deciding shards are formatted as ranges': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        successPolicy: { rules: [{ succeededIndexes: '0-2,5,9', succeededCount: 2 }] },
      }),
    'a ttlAfterFinished of zero is kept': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({ ttlSecondsAfterFinished: 0 }),
    'an explicit drain is kept': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        template: { spec: { terminationGracePeriodSeconds: 120, containers: [{ lifecycle: { preStop: { sleep: { seconds: 20 } } } }] } },
      }),
  },
} satisfies GoldenCase;
