import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'several public hosts and paths over TLS',
  expectations: {
    'one certificate of the issuer covers all hosts': (objects) => {
      expect(only(objects, 'Ingress').metadata.annotations).toMatchObject({
        'cert-manager.io/cluster-issuer': 'letsencrypt',
      });
      expect(only(objects, 'Ingress').spec).toMatchObject({
        tls: [{ hosts: ['shop.example.com', 'www.shop.example.com'], secretName: 'storefront-tls' }],
      });
    },
    'every host has every path': (objects) =>
      expect(only(objects, 'Ingress').spec).toMatchObject({
        rules: [
          { host: 'shop.example.com', http: { paths: [{ path: '/' }, { path: '/healthz', pathType: 'Exact' }] } },
          { host: 'www.shop.example.com', http: { paths: [{ path: '/' }, { path: '/healthz' }] } },
        ],
      }),
    'the port of the Service targets the named port of the container': (objects) =>
      expect(only(objects, 'Service').spec).toMatchObject({
        ports: [{ port: 443, targetPort: 'http' }],
        sessionAffinity: 'ClientIP',
      }),
  },
} satisfies GoldenCase;
