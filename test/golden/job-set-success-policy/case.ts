import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a set has succeeded when some of its shards have',
  expectations: {
    'the shards that decide are written as ranges': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        successPolicy: { rules: [{ succeededIndexes: '0-2,5,9', succeededCount: 2 }] },
      }),
    'no time to look at it is a time too': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({ ttlSecondsAfterFinished: 0 }),
    'a drain that somebody asks for is given': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        template: { spec: { terminationGracePeriodSeconds: 120, containers: [{ lifecycle: { preStop: { sleep: { seconds: 20 } } } }] } },
      }),
  },
} satisfies GoldenCase;
