import * as z from 'zod';
import {
  absolutePath,
  duration,
  host,
  keyedList,
  label,
  labelKey,
  listOf,
  mapOf,
  objectName,
  port,
  text,
} from '../schema/field';
import { withRules } from '../schema/field-facts';
import { loadBalancerRules, tlsRules } from '../rules/load-balancer-rules';

/** Returns the schema of a container port, by number or by name. */
export const containerPort = () =>
  z.union([
    port(),
    text({
      pattern: /^([0-9]+-)*[0-9]*[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
      what: 'the name of a port, at most 15 characters with a letter among them',
      example: 'http',
      max: 15,
    }),
  ]);

const protocol = () => z.enum(['HTTP', 'HTTPS', 'GRPC', 'H2C', 'TCP', 'UDP']);

/** Returns the schema of a port of a Service. */
export const servicePort = () =>
  z.strictObject({
    name: label('http').describe('Name of the port.'),
    port: port().describe('Port that clients connect to.'),
    targetPort: containerPort().optional().describe('Container port, by number or name. Defaults to the same number.'),
    protocol: protocol().default('HTTP').describe('Protocol of the port.'),
  });

const servicePorts = () => keyedList(servicePort(), ['name'], 32);

/** Returns the schema of `loadBalancer`: a Service, and for HTTP an Ingress with its host names. */
export const loadBalancer = () =>
  withRules(
    z.strictObject({
      port: port()
        .optional()
        .describe('Port that clients connect to, and the container port unless targetPort is set.'),
      targetPort: containerPort()
        .optional()
        .describe('Container port for `port`, by number or name. Defaults to the same number.'),
      protocol: protocol().default('HTTP').describe('Protocol of `port`; HTTP, HTTPS, GRPC and H2C get an Ingress.'),
      ports: servicePorts()
        .min(1)
        .optional()
        .describe('Multiple ports; the Ingress routes to the first one with an HTTP protocol.'),
      exposure: z
        .enum(['Cluster', 'Internal', 'External'])
        .default('Internal')
        .describe('Network that can reach it: the cluster, the company network or the internet.'),
      hosts: listOf(host(), 16, 1)
        .optional()
        .describe('Host names. Defaults to `<name>.<project>.<domain of the Platform>`.'),
      paths: keyedList(
        z.strictObject({
          path: absolutePath('/api').default('/').describe('Path of requests.'),
          match: z.enum(['Prefix', 'Exact']).default('Prefix').describe('Path matching: by prefix or exactly.'),
        }),
        ['path', 'match'],
        32,
      )
        .min(1)
        .optional()
        .describe('Paths that are routed to this workload. Defaults to all paths.'),
      tls: withRules(
        z.strictObject({
          enabled: z.boolean().default(true).describe('Whether to serve the host names over TLS.'),
          secretName: objectName('shop-tls')
            .optional()
            .describe(
              "Secret with the certificate. Defaults to a certificate from the Platform's issuer, or that of the ingress controller.",
            ),
        }),
        tlsRules,
      )
        .optional()
        .describe("TLS of the host names. Defaults to the Platform's settings for the exposure."),
      timeout: duration().optional().describe('Timeout of a request.'),
      stickiness: z.boolean().optional().describe('Whether to send all requests of a client to the same pod.'),
      annotations: mapOf(labelKey(), z.string().max(4096), 32)
        .optional()
        .describe('Additional annotations of the Ingress.'),
    }),
    loadBalancerRules,
  );
