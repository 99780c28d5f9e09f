import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'TCP and UDP, within the cluster',
  expectations: {
    'there is no Ingress': (objects) => expect(objects.filter(({ kind }) => kind === 'Ingress')).toEqual([]),
    'one port number serves both protocols': (objects) =>
      expect(only(objects, 'Service').spec).toMatchObject({
        ports: [{ port: 53, protocol: 'TCP' }, { port: 53, protocol: 'UDP' }, { port: 9153 }],
      }),
    'Prometheus can scrape the metrics': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: { metadata: { annotations: { 'prometheus.io/port': '9153', 'prometheus.io/path': '/metrics' } } },
      }),
  },
} satisfies GoldenCase;
