import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'volumes that are deleted with their members',
  expectations: {
    'Kubernetes deletes them on scale-down and on deletion': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
      }),
    'a size in bytes has its canonical form': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '5368709120' } } } }],
      }),
    'volumes have an fsGroup even if no user is set': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: { spec: { securityContext: { fsGroup: 65532 } } },
      }),
    'no disruption budget if it is disabled': (objects) =>
      expect(objects.map(({ kind }) => kind)).not.toContain('PodDisruptionBudget'),
  },
} satisfies GoldenCase;
