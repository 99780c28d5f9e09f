import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a scheduler that knows gangs places the members together',
  expectations: {
    'a PodGroup says how many must fit': (objects) =>
      expect(only(objects, 'PodGroup').spec).toEqual({ schedulingPolicy: { gang: { minCount: 2 } } }),
    'members belong to it': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({
        template: { spec: { schedulingGroup: { podGroupName: 'together' } } },
      }),
    'the training is over when worker 0, its leader, has succeeded': (objects) =>
      expect(only(objects, 'Job').spec).toMatchObject({ successPolicy: { rules: [{ succeededIndexes: '0' }] } }),
  },
} satisfies GoldenCase;
