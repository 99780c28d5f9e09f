import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a daemon that stays available during an update',
  expectations: {
    'new pods are ready before old ones terminate': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
        minReadySeconds: 30,
      }),
    'its configuration is an immutable ConfigMap, mounted as a file': (objects) =>
      expect(only(objects, 'ConfigMap')).toMatchObject({ immutable: true, data: { 'etc.cache.cache.yaml': 'size: 128Mi\n' } }),
    'containers without requests and limits get defaults': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { initContainers: [{ resources: { limits: { memory: '256Mi' } } }] } },
      }),
  },
} satisfies GoldenCase;
