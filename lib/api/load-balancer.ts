import * as z from 'zod';
import { absolutePath, duration, host, keyedList, label, listOf, objectName, port, withRules } from './field';

const protocol = () => z.enum(['HTTP', 'HTTPS', 'GRPC', 'H2C', 'TCP', 'UDP']);

/** One port that clients reach, and where it leads. */
export const servicePort = () =>
  z.strictObject({
    name: label('http').describe('Name of the port.'),
    port: port().describe('Port that clients reach.'),
    targetPort: z
      .union([port(), label('http')])
      .optional()
      .describe('Port of the container, by number or name; the same number where left out.'),
    protocol: protocol().default('HTTP').describe('What is spoken on it.'),
  });

const servicePorts = () => keyedList(servicePort(), ['name'], 32);

/** How clients reach the workload: a Service, and for HTTP an Ingress with its host name. */
export const loadBalancer = () =>
  withRules(
    z.strictObject({
      port: port().optional().describe('The one port that clients reach, at the same number in the container.'),
      targetPort: z
        .union([port(), label('http')])
        .optional()
        .describe('Port of the container for `port`, where it differs.'),
      protocol: protocol()
        .default('HTTP')
        .describe('What is spoken on `port`; HTTP, HTTPS, GRPC and H2C get an Ingress.'),
      ports: servicePorts()
        .min(1)
        .optional()
        .describe('Several ports; the first one that speaks HTTP is behind the Ingress.'),
      exposure: z
        .enum(['cluster', 'internal', 'external'])
        .default('internal')
        .describe("Who can reach it: the cluster only, the company's network, or the internet."),
      hosts: listOf(host(), 16, 1)
        .optional()
        .describe('Host names; `<name>.<project>.<domain of the Platform>` where left out.'),
      paths: keyedList(
        z.strictObject({
          path: absolutePath('/api').default('/').describe('Path that requests start with.'),
          match: z.enum(['Prefix', 'Exact']).default('Prefix').describe('How the path is compared.'),
        }),
        ['path', 'match'],
        32,
      )
        .min(1)
        .optional()
        .describe('Paths that lead here; all where left out.'),
      tls: z
        .strictObject({
          enabled: z.boolean().default(true).describe('Whether the host names are served over TLS.'),
          secretName: objectName('shop-tls')
            .optional()
            .describe("Secret with the certificate; where left out the Platform's issuer makes one."),
        })
        .optional()
        .describe('TLS of the host names; on for external exposure, as the Platform says for internal.'),
      timeout: duration().optional().describe('How long a request may take.'),
      stickiness: z.boolean().optional().describe('Whether a client stays with one pod.'),
      readinessGate: z
        .boolean()
        .optional()
        .describe('Whether a pod is ready only once the load balancer says so; where left out as the Platform says.'),
      annotations: z
        .record(z.string().max(317), z.string().max(4096))
        .optional()
        .describe('Further annotations on the Ingress.'),
    }),
    [
      {
        name: 'load-balancer-ports',
        cel: 'has(self.port) != has(self.ports)',
        reason: 'has both port and ports, or neither',
        remedy: 'give port for one, ports for several',
        code: 'contradiction',
      },
      {
        name: 'load-balancer-target',
        cel: '!has(self.targetPort) || has(self.port)',
        fieldPath: ['targetPort'],
        reason: 'goes with port, which is not given',
        remedy: 'give targetPort within each entry of ports',
        code: 'contradiction',
      },
      {
        name: 'load-balancer-cluster-hosts',
        cel: '!has(self.hosts) || self.exposure != "cluster"',
        fieldPath: ['hosts'],
        reason: 'needs an Ingress, which exposure "cluster" does not make',
        remedy: 'set exposure to internal or external, or leave hosts out',
        code: 'contradiction',
      },
    ],
  );
