import { parseArgs } from 'node:util';
import { type ControllerScope } from '../expand';
import { isLogLevel, type LogLevel, usageText } from '../process';

/** Command line arguments of the controller. */
export interface ControllerArguments {
  /** @default - in-cluster, or as for kubectl */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Address of /livez, /readyz and /metrics. */
  readonly host: string;
  readonly port: number;
  /** Port of /debug/pprof/. @default - no profiles */
  readonly profilePort?: number;
  /** What it reconciles. @default - workloads, and Projects and the Platform */
  readonly scope?: ControllerScope;
  readonly workers: number;
  readonly qps: number;
  readonly burst: number;
  /** Seconds without an event or bookmark after which a watch is restarted. */
  readonly watchSilence: number;
  readonly leaseNamespace: string;
  readonly dryRun: boolean;
  /** Whether to use a lease; not needed for a single process, such as on a developer's machine. */
  readonly leaderElection: boolean;
  readonly logLevel: LogLevel;
}

/** Flags of the controller with defaults and descriptions. */
export const controllerFlags = {
  kubeconfig: {
    type: 'string',
    what: 'kubeconfig file (default: the service account of the pod)',
  },
  context: { type: 'string', what: 'context of the kubeconfig file (default: its current context)' },
  host: { type: 'string', default: '0.0.0.0', what: 'address of /livez, /readyz and /metrics' },
  port: { type: 'string', default: '8080', what: 'port of these endpoints; 0 selects a free one' },
  'profile-port': {
    type: 'string',
    what: 'port of /debug/pprof/heap and /debug/pprof/profile; 0 selects a free one (default: disabled)',
  },
  scope: {
    type: 'string',
    what: 'workloads, or platform for Projects and the Platform (default: both, for a single process)',
  },
  workers: { type: 'string', default: '16', what: 'maximum concurrent reconciles' },
  qps: { type: 'string', default: '100', what: 'sustained requests per second' },
  burst: { type: 'string', default: '200', what: 'burst of requests' },
  'watch-silence': {
    type: 'string',
    default: '150',
    what: 'seconds without an event or bookmark after which a watch is restarted; bookmarks arrive every minute',
  },
  'lease-namespace': { type: 'string', default: 'pinion-controller', what: 'namespace of the lease' },
  'dry-run': { type: 'boolean', default: false, what: 'log changes instead of making them' },
  'no-leader-election': { type: 'boolean', default: false, what: 'start without a lease; for a single process' },
  'log-level': { type: 'string', default: 'info', what: 'debug, info, warn or error' },
} as const;

/** Parses the command line; throws an error that names every invalid flag. */
export function controllerArguments(argv: readonly string[]): ControllerArguments {
  const { values } = parseArgs({ args: [...argv], options: controllerFlags, strict: true, allowPositionals: false });
  const problems: string[] = [];
  const number = (
    name: 'port' | 'profile-port' | 'workers' | 'qps' | 'burst' | 'watch-silence',
    min: number,
    max: number,
  ): number => {
    const value = Number(values[name]);
    if (Number.isFinite(value) && value >= min && value <= max) return value;
    problems.push(`--${name} ${values[name]}: must be a number from ${min} to ${max}`);
    return min;
  };
  const logLevel = values['log-level'];
  if (!isLogLevel(logLevel)) problems.push(`--log-level ${logLevel}: use debug, info, warn or error`);
  const { scope } = values;
  const isScope = scope === 'workloads' || scope === 'platform';
  if (scope !== undefined && !isScope) problems.push(`--scope ${scope}: use workloads or platform`);
  const parsed = {
    ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
    ...(values.context !== undefined && { context: values.context }),
    host: values.host,
    port: number('port', 0, 65535),
    ...(values['profile-port'] !== undefined && { profilePort: number('profile-port', 0, 65535) }),
    ...(isScope && { scope }),
    workers: number('workers', 1, 1000),
    qps: number('qps', 1, 100000),
    burst: number('burst', 1, 100000),
    watchSilence: number('watch-silence', 5, 3600),
    leaseNamespace: values['lease-namespace'],
    dryRun: values['dry-run'],
    leaderElection: !values['no-leader-election'],
    logLevel: isLogLevel(logLevel) ? logLevel : 'info',
  } satisfies ControllerArguments;
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return parsed;
}

/** Returns the usage text of the controller. */
export const controllerUsage = (): string => usageText('controller', 'Reconciles pinion workloads.', controllerFlags);
