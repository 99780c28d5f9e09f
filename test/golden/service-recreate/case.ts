import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'old pods terminate before new ones start, over HTTPS',
  expectations: {
    'old and new pods never run at the same time': (objects) =>
      expect(only(objects, 'Deployment').spec).toMatchObject({
        strategy: { type: 'Recreate' },
        minReadySeconds: 20,
        progressDeadlineSeconds: 900,
        revisionHistoryLimit: 2,
      }),
    'probes use HTTPS, and a slow pod loses its traffic before it is restarted': (objects) =>
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
    'it keeps serving for 20 of the 120 seconds': (objects) =>
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
