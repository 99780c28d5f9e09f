import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'an ensemble that keeps the host names that its members had before',
  expectations: {
    'its headless Service has the given name, and there is no other Service': (objects) =>
      expect(only(objects, 'Service')).toMatchObject({
        metadata: { name: 'etcd-headless' },
        spec: { clusterIP: 'None', publishNotReadyAddresses: true },
      }),
    'host names and the variable with their domain follow it': (objects) => {
      const { serviceName, template } = only(objects, 'StatefulSet').spec as {
        serviceName: string;
        template: { spec: { containers: { env: object[] }[] } };
      };
      expect(serviceName).toBe('etcd-headless');
      expect(template.spec.containers[0]?.env).toContainEqual({
        name: 'PINION_MEMBERS_DOMAIN',
        value: 'etcd-headless.discovery.svc',
      });
    },
  },
} satisfies GoldenCase;
