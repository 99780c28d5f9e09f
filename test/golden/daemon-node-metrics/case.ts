import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'an exporter of node metrics has access to its node',
  expectations: {
    'its pods run on every node, including tainted ones, with the highest priority': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { tolerations: [{ operator: 'Exists' }], priorityClassName: 'system-node-critical' } },
      }),
    "it shares the node's network and processes, and still resolves cluster names": (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { hostNetwork: true, hostPID: true, dnsPolicy: 'ClusterFirstWithHostNet' } },
      }),
    'the root file system of the node is mounted read-only': (objects) =>
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
