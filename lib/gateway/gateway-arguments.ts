import { parseArgs } from 'node:util';
import { isLogLevel, type LogLevel, usageText } from '../process';
import { checkCacheableResources, type ResourceName } from './cache/discover-resource';

/** Files with the serving certificate. */
export interface CertificateFiles {
  /** Certificate chain in PEM. */
  readonly certificate: string;
  /** Its key in PEM. */
  readonly key: string;
}

/** Command line arguments of the gateway. */
export interface GatewayArguments {
  /** @default - in-cluster, or as for kubectl */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly host: string;
  /** Port of the API. */
  readonly port: number;
  /** Port of /livez, /readyz and /metrics. */
  readonly statusPort: number;
  /** @default - plain HTTP */
  readonly tls?: CertificateFiles;
  readonly audience: string;
  readonly resources: readonly ResourceName[];
  readonly cacheConfigMaps: boolean;
  /** Namespaces of the platform's programs, whose requests have seats of their own. */
  readonly platformNamespaces: readonly string[];
  /** Seconds between the signal to stop and the first watch that ends; load balancers forget the gateway meanwhile. */
  readonly shutdownDelay: number;
  /** Seconds within which watches end. */
  readonly drain: number;
  readonly logLevel: LogLevel;
}

/** Flags of the gateway with defaults and descriptions. */
export const gatewayFlags = {
  kubeconfig: { type: 'string', what: 'kubeconfig file (default: the service account of the pod)' },
  context: { type: 'string', what: 'context of the kubeconfig file (default: its current context)' },
  host: { type: 'string', default: '0.0.0.0', what: 'address of both ports' },
  port: { type: 'string', default: '8443', what: 'port of the Kubernetes API; 0 selects a free one' },
  'status-port': {
    type: 'string',
    default: '8080',
    what: 'port of /livez, /readyz and /metrics; 0 selects a free one',
  },
  'tls-certificate': { type: 'string', what: 'file with the certificate chain in PEM; read again when it changes' },
  'tls-key': { type: 'string', what: 'file with the key of the certificate in PEM' },
  plain: { type: 'boolean', default: false, what: 'serve plain HTTP, for a proxy in front that ends TLS' },
  audience: { type: 'string', default: 'pinion-gateway', what: 'audience that tokens of service accounts must have' },
  resource: {
    type: 'string',
    multiple: true,
    what: 'resource to cache, as PLURAL.VERSION or PLURAL.VERSION.GROUP, such as pods.v1; repeat it for each',
  },
  'cache-config-maps': { type: 'boolean', default: false, what: 'allow configmaps.v1, which can contain credentials' },
  'platform-namespace': {
    type: 'string',
    multiple: true,
    what: "namespace of the platform's programs, whose requests have seats of their own; repeat it for each",
  },
  'shutdown-delay': {
    type: 'string',
    default: '5',
    what: 'seconds after SIGTERM in which it still serves, but is not ready, until load balancers have noticed',
  },
  drain: { type: 'string', default: '15', what: 'seconds after that within which watches end, one after the other' },
  'log-level': { type: 'string', default: 'info', what: 'debug, info, warn or error' },
} as const;

/** Parses the command line; throws an error that names every invalid flag. */
export function gatewayArguments(argv: readonly string[]): GatewayArguments {
  const { values } = parseArgs({ args: [...argv], options: gatewayFlags, strict: true, allowPositionals: false });
  const problems: string[] = [];
  const number = (name: 'port' | 'status-port' | 'shutdown-delay' | 'drain', max: number): number => {
    const value = Number(values[name]);
    if (values[name] !== '' && Number.isFinite(value) && value >= 0 && value <= max) return value;
    problems.push(`--${name} ${values[name]}: must be a number from 0 to ${max}`);
    return 0;
  };
  const logLevel = values['log-level'];
  if (!isLogLevel(logLevel)) problems.push(`--log-level ${logLevel}: use debug, info, warn or error`);
  const tls = certificateFiles(values['tls-certificate'], values['tls-key'], values.plain, problems);
  const cacheConfigMaps = values['cache-config-maps'];
  const resources = resourcesOf(values.resource ?? [], cacheConfigMaps, problems);
  const parsed = {
    ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
    ...(values.context !== undefined && { context: values.context }),
    host: values.host,
    port: number('port', 65_535),
    statusPort: number('status-port', 65_535),
    ...(tls && { tls }),
    audience: values.audience,
    resources,
    cacheConfigMaps,
    platformNamespaces: values['platform-namespace'] ?? [],
    shutdownDelay: number('shutdown-delay', 300),
    drain: number('drain', 3_600),
    logLevel: isLogLevel(logLevel) ? logLevel : 'info',
  } satisfies GatewayArguments;
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return parsed;
}

function certificateFiles(
  certificate: string | undefined,
  key: string | undefined,
  isPlain: boolean,
  problems: string[],
): CertificateFiles | undefined {
  const isComplete = certificate !== undefined && key !== undefined;
  if (isPlain && (certificate !== undefined || key !== undefined))
    problems.push('--plain: serves without TLS; remove it, or --tls-certificate and --tls-key');
  if (!isPlain && !isComplete)
    problems.push('--tls-certificate and --tls-key: are both needed; tokens must not cross a network without TLS');
  return isComplete ? { certificate, key } : undefined;
}

function resourcesOf(texts: readonly string[], cacheConfigMaps: boolean, problems: string[]): readonly ResourceName[] {
  const resources = texts.flatMap((text) => {
    const resource = resourceNameOf(text);
    if (!resource) problems.push(`--resource ${text}: use PLURAL.VERSION or PLURAL.VERSION.GROUP, such as pods.v1`);
    return resource ? [resource] : [];
  });
  try {
    checkCacheableResources(resources, { cacheConfigMaps });
  } catch (error) {
    problems.push((error as Error).message);
  }
  return resources;
}

function resourceNameOf(text: string): ResourceName | undefined {
  const [, plural, version, group = ''] =
    /^([a-z][a-z0-9-]*)\.(v[a-z0-9]+)(?:\.([a-z0-9][-.a-z0-9]*))?$/.exec(text) ?? [];
  return plural === undefined || version === undefined ? undefined : { group, version, plural };
}

/** Returns the usage text of the gateway. */
export const gatewayUsage = (): string =>
  usageText('pinion-gateway', 'Serves the Kubernetes API, reads of some resources from caches.', gatewayFlags);
