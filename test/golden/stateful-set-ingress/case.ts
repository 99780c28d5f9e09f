import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'clients of the company reach any member by a host name',
  expectations: {
    'the host name is derived, and the Ingress leads to the Service of the clients': (objects) =>
      expect(only(objects, 'Ingress').spec).toMatchObject({
        rules: [
          {
            host: 'search.catalog.apps.example.com',
            http: { paths: [{ backend: { service: { name: 'search', port: { number: 9200 } } } }] },
          },
        ],
      }),
    'claims have the class of the Platform and nothing that could change, for they never can': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        volumeClaimTemplates: [
          {
            metadata: { name: 'data', labels: { 'example.com/backup': 'nightly' } },
            spec: { storageClassName: 'gp3', accessModes: ['ReadWriteOnce'] },
          },
        ],
      }),
    'the group of the volumes is that of the first container': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: { spec: { securityContext: { fsGroup: 2000 } } },
      }),
  },
} satisfies GoldenCase;
