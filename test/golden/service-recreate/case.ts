import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'old pods end before new ones start, over HTTPS',
  expectations: {
    'no old and new pod run side by side': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        strategy: { type: 'Recreate' },
        minReadySeconds: 20,
        progressDeadlineSeconds: 900,
        revisionHistoryLimit: 2,
      }),
    'probes speak HTTPS; a slow pod loses its traffic before it is restarted': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            containers: [
              {
                startupProbe: { failureThreshold: 90, periodSeconds: 2 },
                readinessProbe: { httpGet: { path: '/ready', port: 8443, scheme: 'HTTPS' }, failureThreshold: 4 },
                livenessProbe: { failureThreshold: 8 },
              },
            ],
          },
        },
      }),
    'it serves on for 20 of the 120 seconds': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        template: {
          spec: {
            terminationGracePeriodSeconds: 120,
            containers: [{ lifecycle: { preStop: { sleep: { seconds: 20 } } } }],
          },
        },
      }),
  },
} satisfies GoldenCase;
