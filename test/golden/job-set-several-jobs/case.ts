import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'policies across several Jobs are left to the controller',
  needsController: true,
  expectations: {
    'the Jobs are those of any other set of three shards': (objects) =>
      expect(objects.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name)).toEqual(['backfill-0', 'backfill-1', 'backfill-2']),
    'none of them has policies that a single Job cannot implement': (objects) => {
      for (const field of ['successPolicy', 'maxFailedIndexes', 'suspend']) expect(only(objects, 'Job', 'backfill-1').spec).not.toHaveProperty(field);
    },
  },
} satisfies GoldenCase;
