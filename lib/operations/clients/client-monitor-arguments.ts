import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { type GatewayService } from './history/gateway-endpoints';
import { isLogLevel, type LogLevel, usageText } from '../../process';

/** Address on which a server listens. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Command line arguments of the client monitor. */
export interface ClientMonitorArguments {
  /** Where the API server sends its audit events. */
  readonly events: ServerAddress;
  /** Where /healthz and /metrics are served. */
  readonly status: ServerAddress;
  /** User name of the gateway. @default - none, so that no client is reported for direct access */
  readonly gateway?: string;
  /** Where the client history is stored. @default - it is not */
  readonly history?: {
    readonly namespace: string;
    /** Name of the API server that sends its events: the same after a restart, and of no other monitor. */
    readonly server: string;
    /** Gateways that are measured. @default - none */
    readonly gateways?: GatewayService;
  };
  /** @default - in-cluster, or as for kubectl */
  readonly kubeconfig?: string;
  readonly logLevel: LogLevel;
}

const flags = {
  events: {
    type: 'string',
    default: '127.0.0.1:9442',
    what: 'HOST:PORT for audit events, without authentication; port 0 selects a free one',
  },
  status: { type: 'string', default: '0.0.0.0:9443', what: 'HOST:PORT of /healthz and /metrics' },
  gateway: { type: 'string', what: 'user name of the gateway; requests of Projects that bypass it are then reported' },
  history: { type: 'string', what: 'namespace of the client history (default: none is stored)' },
  server: {
    type: 'string',
    what: 'name of the API server in the history: the same after a restart, and of no other monitor (default: the host name)',
  },
  'gateway-metrics': {
    type: 'string',
    what: 'NAMESPACE/SERVICE:PORT of the metrics of gateways, which the history counts, too (default: none is read)',
  },
  kubeconfig: { type: 'string', what: 'kubeconfig file (default: the service account of the pod)' },
  'log-level': { type: 'string', default: 'info', what: 'debug, info, warn or error' },
} as const;

const namePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** A source of the history has the name between slashes. */
const serverPattern = /^[A-Za-z0-9][-.A-Za-z0-9]{0,252}$/;

/** Parses the command line; throws an error that names every invalid flag. */
export function clientMonitorArguments(argv: readonly string[]): ClientMonitorArguments {
  const { values } = parseArgs({ args: [...argv], options: flags, strict: true, allowPositionals: false });
  const problems: string[] = [];
  const address = (name: 'events' | 'status'): ServerAddress => {
    const [, host = '', port = ''] = /^([0-9.]+|\[[0-9a-f:]+\]):(\d{1,5})$/.exec(values[name]) ?? [];
    if (host === '' || Number(port) > 65_535)
      problems.push(`--${name} ${values[name]}: is not an address; use HOST:PORT, such as ${flags[name].default}`);
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  };
  const { history, server = hostname() } = values;
  if (history !== undefined && !namePattern.test(history))
    problems.push(`--history ${history}: is not a namespace; use its name, such as pinion-quota`);
  if (!serverPattern.test(server))
    problems.push(`--server ${server}: is not a name; use at most 253 letters, digits, dots and dashes`);
  const gateways = gatewayServiceOf(values['gateway-metrics'], history, problems);
  const logLevel = values['log-level'];
  if (!isLogLevel(logLevel)) problems.push(`--log-level ${logLevel}: use debug, info, warn or error`);
  const parsed = {
    events: address('events'),
    status: address('status'),
    ...(values.gateway !== undefined && { gateway: values.gateway }),
    ...(history !== undefined && { history: { namespace: history, server, ...(gateways && { gateways }) } }),
    ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
    logLevel: isLogLevel(logLevel) ? logLevel : 'info',
  } satisfies ClientMonitorArguments;
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return parsed;
}

function gatewayServiceOf(
  value: string | undefined,
  history: string | undefined,
  problems: string[],
): GatewayService | undefined {
  if (value === undefined) return undefined;
  const [, namespace = '', name = '', port = ''] = /^([a-z0-9-]{1,63})\/([a-z0-9-]{1,63}):(\d{1,5})$/.exec(value) ?? [];
  if (namespace === '' || Number(port) > 65_535)
    problems.push(
      `--gateway-metrics ${value}: is not NAMESPACE/SERVICE:PORT, such as pinion-gateway/pinion-gateway:8080`,
    );
  else if (history === undefined) problems.push(`--gateway-metrics ${value}: needs --history, which counts them`);
  return { namespace, name, port: Number(port) };
}

/** Returns the usage text of the client monitor. */
export const clientMonitorUsage = (): string =>
  usageText('pinion-client-monitor', 'Attributes the audit events of an API server to clients and Projects.', flags);
