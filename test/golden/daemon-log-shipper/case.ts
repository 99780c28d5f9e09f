import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a log shipper reads the logs of its node and keeps its own state there',
  expectations: {
    'host folders are read-only by default': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: {
          spec: {
            containers: [
              {
                volumeMounts: expect.arrayContaining([
                  { name: 'logs', mountPath: '/var/log', readOnly: true },
                  { name: 'state', mountPath: '/state' },
                ]) as unknown,
              },
            ],
          },
        },
      }),
    'required host paths have a type, so that a wrong path fails at startup': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: {
          spec: {
            volumes: expect.arrayContaining([
              { name: 'runtime', hostPath: { path: '/run/containerd/containerd.sock', type: 'Socket' } },
            ]) as unknown,
          },
        },
      }),
    'it writes to the cloud with its own role, not with that of the machine': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: {
          spec: {
            containers: [
              {
                env: expect.arrayContaining([
                  { name: 'AWS_ROLE_ARN', value: 'arn:aws:iam::123456789012:role/log-writer' },
                ]) as unknown,
              },
            ],
          },
        },
      }),
  },
} satisfies GoldenCase;
