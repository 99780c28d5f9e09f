import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a daemon that serves the pods of its own node',
  expectations: {
    'its Service routes to the pod on the same node only': (objects) =>
      expect(only(objects, 'Service').spec).toMatchObject({
        internalTrafficPolicy: 'Local',
        ports: [
          { name: 'statsd', port: 8125, protocol: 'UDP' },
          { name: 'admin', port: 80, targetPort: 'admin' },
        ],
      }),
    'without host access its pods pass Pod Security restricted': (objects) =>
      expect(only(objects, 'DaemonSet').spec).toMatchObject({
        template: {
          spec: {
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [{ securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } }],
          },
        },
      }),
    'only the named projects may connect': (objects) =>
      expect(only(objects, 'NetworkPolicy').spec).toMatchObject({ policyTypes: ['Ingress'] }),
  },
} satisfies GoldenCase;
