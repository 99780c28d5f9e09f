import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'one database that only its owners restart',
  expectations: {
    'a lone member has no budget, which would block every drain': (objects) =>
      expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Service', 'Service', 'StatefulSet']),
    'it waits until somebody deletes it': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({ replicas: 1, updateStrategy: { type: 'OnDelete' } }),
    'what it says of the group of its volumes stays': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: { spec: { securityContext: { fsGroup: 999, fsGroupChangePolicy: 'Always' } } },
      }),
  },
} satisfies GoldenCase;
