import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a network agent whose owners replace its pods node by node',
  expectations: {
    'pods are replaced only when they are deleted': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({ updateStrategy: { type: 'OnDelete' } }),
    'it resolves names like its node, as requested': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { dnsPolicy: 'Default', hostNetwork: true, hostIPC: true } },
      }),
    'a patch sets what no field can': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { hostAliases: [{ hostnames: ['control-plane.internal'] }] } },
      }),
  },
} satisfies GoldenCase;
