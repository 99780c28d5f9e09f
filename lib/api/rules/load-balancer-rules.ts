import { entryListAt } from './own-volumes';
import { type FieldPath } from '../problem';
import { type ValidationRule } from './validation-rule';

const httpProtocols: readonly unknown[] = ['HTTP', 'HTTPS', 'GRPC', 'H2C'];
const httpProtocolList = JSON.stringify(httpProtocols);
const servesHttp = `(has(self.ports) ? self.ports.exists(p, p.protocol in ${httpProtocolList}) : self.protocol in ${httpProtocolList})`;

/** Fields of the Ingress, which have no effect if there is none. */
const ingressRules = ['hosts', 'paths', 'tls', 'timeout', 'annotations'].flatMap((field): ValidationRule[] => [
  {
    name: `load-balancer-cluster-${field}`,
    cel: `!has(self.${field}) || self.exposure != "Cluster"`,
    fieldPath: [field],
    reason: 'needs an Ingress, which exposure Cluster does not have',
    remedy: 'set exposure to Internal or External, or omit it',
  },
  {
    name: `load-balancer-http-${field}`,
    cel: `!has(self.${field}) || ${servesHttp}`,
    fieldPath: [field],
    reason: 'needs an Ingress, which does not support TCP and UDP',
    remedy: 'use the protocol HTTP, HTTPS, GRPC or H2C, or omit it',
  },
]);

/** Rules across the fields of a load balancer. */
export const loadBalancerRules: readonly ValidationRule[] = [
  {
    name: 'load-balancer-ports',
    cel: 'has(self.port) != has(self.ports)',
    holds: ({ port, ports }) => (port !== undefined) !== (ports !== undefined),
    reason: 'must set exactly one of port and ports',
    remedy: 'use port for one port, ports for several',
  },
  {
    name: 'load-balancer-target',
    cel: '!has(self.targetPort) || has(self.port)',
    fieldPath: ['targetPort'],
    reason: 'requires port',
    remedy: 'set targetPort in each entry of ports',
  },
  {
    name: 'load-balancer-port-numbers',
    cel: '!has(self.ports) || self.ports.all(p, self.ports.exists_one(o, o.port == p.port && (o.protocol == "UDP") == (p.protocol == "UDP")))',
    where: 'client',
    find: (self) => samePorts(entryListAt(self, ['ports'])).map((index) => ['ports', index, 'port']),
    reason: 'duplicates the port of another entry',
    remedy: 'use unique port numbers',
    code: 'duplicate',
  },
  {
    name: 'load-balancer-external-http',
    cel: `self.exposure != "External" || ${servesHttp}`,
    holds: ({ exposure, protocol, ports }) =>
      exposure !== 'External' ||
      (Array.isArray(ports)
        ? (ports as { protocol: unknown }[]).some((port) => httpProtocols.includes(port.protocol))
        : httpProtocols.includes(protocol)),
    fieldPath: ['exposure'],
    reason: 'needs an Ingress, which does not support TCP and UDP',
    remedy: 'use the protocol HTTP, HTTPS, GRPC or H2C, or exposure Cluster',
  },
  {
    name: 'load-balancer-hosts',
    cel: '!has(self.hosts) || self.hosts.all(h, self.hosts.exists_one(o, o == h))',
    fieldPath: ['hosts'],
    find: ({ hosts }) =>
      Array.isArray(hosts)
        ? (hosts as string[]).flatMap((value, index) => {
            const first = hosts.indexOf(value);
            return first < index ? [{ path: ['hosts', index], value, reason: `duplicates hosts[${first}]` }] : [];
          })
        : [],
    reason: 'has a duplicate',
    remedy: 'list each host once',
    code: 'duplicate',
  },
  {
    name: 'load-balancer-path-pattern',
    cel: 'true',
    reads: ['paths'],
    where: 'client',
    severity: 'warning',
    find: (self) =>
      entryListAt(self, ['paths']).flatMap(({ path, match }, index) =>
        typeof path === 'string' && match === 'Prefix' && isExpression(path)
          ? [{ path: ['paths', index, 'path'], value: path }]
          : [],
      ),
    reason: 'looks like a regular expression, but a prefix is compared as it is',
    remedy: 'write the part before it, such as /api for /api(/.*)?',
    code: 'bad-format',
  },
  ...ingressRules,
];

/** Characters of regular expressions that paths of requests do not have. */
const expression = /[*^|\\[\](){}?]|\$$|\.\+/;

/** One pair of parentheses alone is part of a path, such as /Products(1). */
const isExpression = (path: string): boolean => expression.test(path.replace(/\(([^()]*)\)/, '$1'));

/** Rules across the fields of `loadBalancer.tls`. */
export const tlsRules: readonly ValidationRule[] = [
  {
    name: 'load-balancer-tls-secret',
    cel: 'self.enabled || !has(self.secretName)',
    fieldPath: ['secretName'],
    reason: 'cannot be combined with enabled: false',
    remedy: 'remove one of them',
  },
];

type Port = Readonly<Record<string, unknown>>;

/** Returns the indexes of ports with the number and protocol of an earlier one. */
export const samePorts = (ports: readonly Port[], taken: readonly Port[] = []): number[] =>
  ports.flatMap((port, index) =>
    [...taken, ...ports.slice(0, index)].some((other) => collides(port, other)) ? [index] : [],
  );

const collides = (a: Port, b: Port): boolean =>
  a['port'] === b['port'] && (a['protocol'] === 'UDP') === (b['protocol'] === 'UDP');

/** Returns the rule that no two of `ports` have one number and protocol, which the API server rejects in a Service. */
export const portNumbersRule = (prefix: string): ValidationRule => ({
  name: `${prefix}-port-numbers`,
  cel: '!has(self.ports) || self.ports.all(p, self.ports.exists_one(o, o.port == p.port && (o.protocol == "UDP") == (p.protocol == "UDP")))',
  where: 'client',
  fieldPath: ['ports'],
  reason: 'duplicates the number and protocol of another port of the Service',
  remedy: 'remove it, or use another number',
  code: 'duplicate',
  find: (self) => samePorts(entryListAt(self, ['ports'])).map((index) => ['ports', index, 'port']),
});

/** Returns the ports of the load balancer of a spec, including that of the short form. */
export function balancedPorts(self: Port): readonly Port[] {
  const { port, targetPort, protocol } = (self['loadBalancer'] ?? {}) as Port;
  if (port === undefined) return entryListAt(self, ['loadBalancer', 'ports']);
  return [{ name: String(protocol).toLowerCase(), port, targetPort, protocol }];
}

/** Returns the path of a port, by its index in `balancedPorts`. */
export const balancedPortPath = (self: Port, index: number): FieldPath =>
  (self['loadBalancer'] as Port)['port'] === undefined ? ['loadBalancer', 'ports', index] : ['loadBalancer'];
