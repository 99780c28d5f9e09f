import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a secret store on dedicated nodes, with ingress from one project only',
  expectations: {
    'its members can always reach each other': (objects) =>
      expect(only(objects, 'NetworkPolicy').spec).toMatchObject({
        ingress: expect.arrayContaining([
          {
            from: [
              {
                podSelector: {
                  matchLabels: { 'pinterest.com/kind': 'PinterestStatefulSet', 'pinterest.com/workload': 'vault' },
                },
              },
            ],
          },
        ]) as unknown,
      }),
    'it runs on nodes of its pool in two zones': (objects) =>
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: {
          spec: {
            nodeSelector: { 'example.com/pool': 'storage' },
            tolerations: [{ key: 'example.com/storage' }],
            affinity: { nodeAffinity: {} },
          },
        },
      }),
    "its role's token, configuration, certificate and volume are all mounted": (objects) => {
      const spec = only(objects, 'StatefulSet').spec as {
        template: { spec: { containers: { volumeMounts: { mountPath: string }[] }[] } };
      };
      const paths = spec.template.spec.containers[0]?.volumeMounts.map(({ mountPath }) => mountPath);
      expect(paths).toEqual([
        '/vault/data',
        '/vault/config/vault.hcl',
        '/vault/tls',
        '/var/run/secrets/pinion/aws',
      ]);
    },
  },
} satisfies GoldenCase;
