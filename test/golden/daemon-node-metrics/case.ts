import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'an exporter of node metrics sees its node',
  expectations: {
    'its pods run on every node, tainted ones included, as important as the node itself': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { tolerations: [{ operator: 'Exists' }], priorityClassName: 'system-node-critical' } },
      }),
    "it shares the node's network and processes, and resolves cluster names all the same": (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { hostNetwork: true, hostPID: true, dnsPolicy: 'ClusterFirstWithHostNet' } },
      }),
    'the root of the node is there to be read, not written': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: {
          spec: {
            volumes: expect.arrayContaining([{ name: 'root', hostPath: { path: '/' } }]),
            containers: [
              {
                volumeMounts: expect.arrayContaining([
                  { name: 'root', mountPath: '/host', readOnly: true, mountPropagation: 'HostToContainer' },
                ]),
              },
            ],
          },
        },
      }),
  },
} satisfies GoldenCase;
