import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'internal clients reach any member by a host name',
  expectations: {
    'the host name is derived, and the Ingress routes to the client Service': (objects) =>
      expect(only(objects, 'Ingress').spec).toMatchObject({
        rules: [
          {
            host: 'search.catalog.apps.example.com',
            http: { paths: [{ backend: { service: { name: 'search', port: { number: 9200 } } } }] },
          },
        ],
      }),
    "claims have the Platform's storage class and no field that may change, because claim templates are immutable": (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        volumeClaimTemplates: [
          {
            metadata: { name: 'data', labels: { 'example.com/backup': 'nightly' } },
            spec: { storageClassName: 'gp3', accessModes: ['ReadWriteOnce'] },
          },
        ],
      }),
    'the fsGroup is that of the first container': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: { spec: { securityContext: { fsGroup: 2000 } } },
      }),
  },
} satisfies GoldenCase;
