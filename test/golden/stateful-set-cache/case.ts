import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a cache whose members keep their data',
  expectations: {
    'every member gets its own volume, and its group can write to it': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests: { storage: '10Gi' } } } }],
        template: { spec: { securityContext: { fsGroup: 999, fsGroupChangePolicy: 'OnRootMismatch' } } },
      }),
    'members use a headless Service, and clients another one for any member': (objects) => {
      expect(only(objects, 'StatefulSet').spec).toMatchObject({ serviceName: 'cart-cache-members' });
      expect(only(objects, 'Service', 'cart-cache-members').spec).toMatchObject({ clusterIP: 'None' });
      expect(only(objects, 'Service', 'cart-cache').spec).toMatchObject({ type: 'ClusterIP', ports: [{ port: 6379 }] });
    },
    'a drain evicts one member at a time and waits a minute for it': (objects) => {
      expect(only(objects, 'PodDisruptionBudget').spec).toMatchObject({ maxUnavailable: 1 });
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: { spec: { terminationGracePeriodSeconds: 60 } },
      });
    },
  },
} satisfies GoldenCase;
