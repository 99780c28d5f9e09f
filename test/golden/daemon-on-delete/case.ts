import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a network agent whose owners replace its pods node by node',
  expectations: {
    'pods wait until somebody deletes them': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({ updateStrategy: { type: 'OnDelete' } }),
    'it resolves names as its node does, for it said so': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { dnsPolicy: 'Default', hostNetwork: true, hostIPC: true } },
      }),
    'a patch adds what no field says': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { hostAliases: [{ hostnames: ['control-plane.internal'] }] } },
      }),
  },
} satisfies GoldenCase;
