import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a daemon that is never missing during an update',
  expectations: {
    'new pods are ready before old ones end, so that none may be missing': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
        minReadySeconds: 30,
      }),
    'its configuration is an immutable ConfigMap, mounted as a file': (objects) =>
      expect(only(objects, 'ConfigMap')).toMatchObject({ immutable: true, data: { 'etc.cache.cache.yaml': 'size: 128Mi\n' } }),
    'containers that left requests and limits out have them': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: { spec: { initContainers: [{ resources: { limits: { memory: '256Mi' } } }] } },
      }),
  },
} satisfies GoldenCase;
