import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'one database that only its owners restart',
  expectations: {
    'a single member has no disruption budget, which would block every drain': (objects) =>
      expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Service', 'Service', 'StatefulSet']),
    'it is replaced only when it is deleted': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({ replicas: 1, updateStrategy: { type: 'OnDelete' } }),
    'an explicit fsGroup is kept': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: { spec: { securityContext: { fsGroup: 999, fsGroupChangePolicy: 'Always' } } },
      }),
  },
} satisfies GoldenCase;
