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

/** A port of a container, by number or by the name that the container gives it. */
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

/** One port that clients reach, and where it leads. */
export const servicePort = () =>
  z.strictObject({
    name: label('http').describe('Name of the port.'),
    port: port().describe('Port that clients reach.'),
    targetPort: containerPort()
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
      targetPort: containerPort().optional().describe('Port of the container for `port`, where it differs.'),
      protocol: protocol()
        .default('HTTP')
        .describe('What is spoken on `port`; HTTP, HTTPS, GRPC and H2C get an Ingress.'),
      ports: servicePorts()
        .min(1)
        .optional()
        .describe('Several ports; the first one that speaks HTTP is behind the Ingress.'),
      exposure: z
        .enum(['Cluster', 'Internal', 'External'])
        .default('Internal')
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
      tls: withRules(
        z.strictObject({
          enabled: z.boolean().default(true).describe('Whether the host names are served over TLS.'),
          secretName: objectName('shop-tls')
            .optional()
            .describe(
              "Secret with the certificate; where left out the Platform's issuer makes one, or the way in has its own.",
            ),
        }),
        tlsRules,
      )
        .optional()
        .describe('TLS of the host names; as the Platform says for the exposure where left out.'),
      timeout: duration().optional().describe('How long a request may take.'),
      stickiness: z.boolean().optional().describe('Whether a client stays with one pod.'),
      annotations: mapOf(labelKey(), z.string().max(4096), 32)
        .optional()
        .describe('Further annotations on the Ingress.'),
    }),
    loadBalancerRules,
  );
