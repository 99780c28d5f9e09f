import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'volumes that go with their members',
  expectations: {
    'Kubernetes deletes them on both occasions': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
      }),
    'a size in bytes has its canonical form': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '5368709120' } } } }],
      }),
    'where nobody says which user runs, the volumes have a group all the same': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: { spec: { securityContext: { fsGroup: 65532 } } },
      }),
    'no budget where none is wanted': (objects) =>
      expect(objects.map(({ kind }) => kind)).not.toContain('PodDisruptionBudget'),
  },
} satisfies GoldenCase;
