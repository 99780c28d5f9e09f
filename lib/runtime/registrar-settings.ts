import { isIP } from 'node:net';
import { type Problem } from '../api';
import { logLevels, type LogLevel } from './log';
import { type PodIdentity } from './service-entry';
import { Variables } from './variables';
import { type Server } from './zookeeper-connection';

/** All that a registrar is told; durations in milliseconds. */
export interface RegistrarSettings {
  readonly servers: readonly Server[];
  /** Prefix of every path; empty where the ensemble is shared without one. */
  readonly root: string;
  readonly sessionTimeout: number;
  readonly service: string;
  readonly address: string;
  readonly servicePort: number;
  readonly readinessPath: string;
  readonly readinessPeriod: number;
  readonly readyAfter: number;
  readonly unreadyAfter: number;
  readonly statusPort: number;
  readonly level: LogLevel;
  /** Scheme and file of the identity that is presented to ZooKeeper. @default - none: nodes that everybody may change */
  readonly identity: { readonly scheme: string; readonly file: string } | undefined;
  readonly pod: PodIdentity;
}

/** Settings, or everything that is wrong with them. */
export type ReadSettings = { readonly settings: RegistrarSettings } | { readonly problems: readonly Problem[] };

const usualZookeeperPort = 2181;
const segment = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;
/** Reads the registrar's settings from the variables that the traffic part of the runtime profile gives. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): ReadSettings {
  const variables = new Variables(environment);
  const project = variables.text('PINION_PROJECT');
  const workload = variables.text('PINION_WORKLOAD');
  const scheme = variables.text('ZOOKEEPER_AUTH_SCHEME', '');
  const settings: RegistrarSettings = {
    ...readEnsemble(variables),
    sessionTimeout: 1000 * variables.number('SESSION_TIMEOUT_SECONDS', 10, 2, 60, false),
    service: readService(variables, project && workload && `${project}/${workload}`),
    address: readAddress(variables),
    servicePort: variables.number('SERVICE_PORT', undefined, 1, 65535),
    readinessPath: readPath(variables),
    readinessPeriod: 1000 * variables.number('READINESS_PERIOD_SECONDS', 1, 0.05, 60, false),
    readyAfter: variables.number('READY_AFTER', 1, 1, 100),
    unreadyAfter: variables.number('UNREADY_AFTER', 3, 1, 100),
    statusPort: variables.number('STATUS_PORT', undefined, 1, 65535),
    level: readLevel(variables),
    identity:
      scheme === ''
        ? undefined
        : { scheme, file: variables.text('ZOOKEEPER_AUTH_FILE', environment['IDENTITY_TOKEN']) },
    pod: readPod(variables, project, workload),
  };
  return variables.problems.length > 0 ? { problems: variables.problems } : { settings };
}

/** `host:port,host:port/root`, as ZooKeeper's own clients take it. */
function readEnsemble(variables: Variables): Pick<RegistrarSettings, 'servers' | 'root'> {
  const text = variables.text('ZOOKEEPER');
  const slash = text.indexOf('/');
  const root = slash < 0 ? '' : text.slice(slash).replace(/\/+$/, '');
  const hosts = (slash < 0 ? text : text.slice(0, slash)).split(',').map((host) => host.trim());
  const servers = hosts.map((host) => {
    const match = /^(?:\[([0-9a-fA-F:]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(host);
    return { host: match?.[1] ?? match?.[2] ?? '', port: Number(match?.[3] ?? usualZookeeperPort) };
  });
  const isSound =
    servers.every(({ host, port }) => host !== '' && port > 0 && port < 65536) &&
    root
      .split('/')
      .slice(1)
      .every((step) => segment.test(step));
  if (text !== '' && !isSound)
    variables.refuse(
      'ZOOKEEPER',
      text,
      'is no list of servers',
      'write host:port,host:port, and /root where there is one',
    );
  return { servers, root };
}

function readService(variables: Variables, otherwise: string): string {
  const name = variables.text('SERVICE_NAME', otherwise);
  if (name === '') return name; // the missing variables that it is made of are told of already
  const steps = name.split('/');
  if (steps.length > 8 || !steps.every((step) => segment.test(step)))
    variables.refuse(
      'SERVICE_NAME',
      name,
      'is no name of a service',
      'use letters, digits, ".", "_" and "-", with "/" between up to 8 steps',
    );
  return name;
}

function readAddress(variables: Variables): string {
  const address = variables.text('PINION_POD_ADDRESS');
  if (address !== '' && isIP(address) === 0)
    variables.refuse(
      'PINION_POD_ADDRESS',
      address,
      'is no IP address',
      'let the pod know its own by fieldRef status.podIP',
    );
  return address;
}

function readPath(variables: Variables): string {
  const path = variables.text('READINESS_PATH', '/healthz');
  if (!/^\/[\x21-\x7e]*$/.test(path))
    variables.refuse('READINESS_PATH', path, 'is no path', 'begin with / and encode what is not ASCII');
  return path;
}

function readLevel(variables: Variables): LogLevel {
  const text = variables.text('LOG_LEVEL', 'info');
  const level = logLevels.find((known) => known === text);
  if (!level) variables.refuse('LOG_LEVEL', text, 'is no level', `use ${logLevels.join(', ')}`);
  return level ?? 'info';
}

function readPod(variables: Variables, project: string, workload: string): PodIdentity {
  const uid = variables.text('PINION_POD_UID');
  if (uid !== '' && !segment.test(uid)) variables.refuse('PINION_POD_UID', uid, 'is no UID', 'let it come by fieldRef');
  return {
    project,
    workload,
    uid,
    pod: variables.text('PINION_POD'),
    kind: variables.text('PINION_KIND', ''),
    version: variables.text('PINION_VERSION', ''),
    cluster: variables.text('PINION_CLUSTER', ''),
    node: variables.text('PINION_NODE', ''),
    region: variables.text('REGION', ''),
  };
}
