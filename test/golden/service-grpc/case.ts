import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a gRPC service that only the company reaches',
  expectations: {
    'the Ingress speaks gRPC to the port that does': (objects) => {
      expect(only(objects, 'Ingress').metadata.annotations).toMatchObject({
        'nginx.ingress.kubernetes.io/backend-protocol': 'GRPC',
      });
      expect(only(objects, 'Ingress').spec).toMatchObject({
        rules: [
          {
            host: 'recommendation.shop.apps.example.com',
            http: { paths: [{ backend: { service: { port: { number: 8080 } } } }] },
          },
        ],
      });
    },
    'without an issuer the certificate is that of the way in': (objects) =>
      expect(only(objects, 'Ingress').spec).toMatchObject({
        tls: [{ hosts: ['recommendation.shop.apps.example.com'] }],
      }),
    'the Service says what is spoken': (objects) =>
      expect(only(objects, 'Service').spec).toMatchObject({
        ports: [{ appProtocol: 'kubernetes.io/h2c' }, { name: 'admin', protocol: 'TCP' }],
      }),
  },
} satisfies GoldenCase;
