import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a cache whose members keep their data',
  expectations: {
    'every member gets a volume of its own, and its group can write it': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests: { storage: '10Gi' } } } }],
        template: { spec: { securityContext: { fsGroup: 999, fsGroupChangePolicy: 'OnRootMismatch' } } },
      }),
    'members find each other by a headless Service, clients reach any of them by another': (objects) => {
      expect(only(objects, 'StatefulSet').spec).toMatchObject({ serviceName: 'cart-cache-members' });
      expect(only(objects, 'Service', 'cart-cache-members').spec).toMatchObject({ clusterIP: 'None' });
      expect(only(objects, 'Service', 'cart-cache').spec).toMatchObject({ type: 'ClusterIP', ports: [{ port: 6379 }] });
    },
    'a drain takes one member at a time and waits a minute for it': (objects) => {
      expect(only(objects, 'PodDisruptionBudget').spec).toMatchObject({ maxUnavailable: 1 });
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: { spec: { terminationGracePeriodSeconds: 60 } },
      });
    },
  },
} satisfies GoldenCase;
