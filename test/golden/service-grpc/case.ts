import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'an internal gRPC service',
  expectations: {
    'the Ingress uses gRPC for the gRPC port': (objects) => {
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
    'without an issuer the certificate is that of the ingress controller': (objects) =>
      expect(only(objects, 'Ingress').spec).toMatchObject({
        tls: [{ hosts: ['recommendation.shop.apps.example.com'] }],
      }),
    'the Service sets the application protocol': (objects) =>
      expect(only(objects, 'Service').spec).toMatchObject({
        ports: [{ appProtocol: 'kubernetes.io/h2c' }, { name: 'admin', protocol: 'TCP' }],
      }),
  },
} satisfies GoldenCase;
