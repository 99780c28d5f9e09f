import { isIP } from 'node:net';
import { type Problem } from '../api';
import { logLevels, type LogLevel } from '../process';
import { type PodIdentity } from './service-entry';
import { SettingsReader } from './settings-reader';
import { type ZookeeperServer } from './zookeeper/zookeeper-connection';

/** Settings of a registrar; durations in milliseconds. */
export interface RegistrarSettings {
  readonly servers: readonly ZookeeperServer[];
  /** Path prefix (chroot) of the ensemble; empty if there is none. */
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
  /** Scheme and secret file of the ZooKeeper identity. @default - none: any client may change the nodes */
  readonly identity: { readonly scheme: string; readonly file: string } | undefined;
  readonly pod: PodIdentity;
}

/** Settings or their problems. */
export type SettingsResult = { readonly settings: RegistrarSettings } | { readonly problems: readonly Problem[] };

const defaultZookeeperPort = 2181;
const segment = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/** Reads the registrar's settings from the environment that the traffic part of the runtime profile sets. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): SettingsResult {
  const reader = new SettingsReader(environment);
  const project = reader.text('PINION_PROJECT');
  const workload = reader.text('PINION_WORKLOAD');
  const scheme = reader.text('ZOOKEEPER_AUTH_SCHEME', '');
  const settings: RegistrarSettings = {
    ...readEnsemble(reader),
    sessionTimeout: 1000 * reader.number('SESSION_TIMEOUT_SECONDS', 10, 2, 60, false),
    service: readService(reader, project && workload && `${project}/${workload}`),
    address: readAddress(reader),
    servicePort: reader.number('SERVICE_PORT', undefined, 1, 65535),
    readinessPath: readPath(reader),
    readinessPeriod: 1000 * reader.number('READINESS_PERIOD_SECONDS', 1, 0.05, 60, false),
    readyAfter: reader.number('READY_AFTER', 1, 1, 100),
    unreadyAfter: reader.number('UNREADY_AFTER', 3, 1, 100),
    statusPort: reader.number('STATUS_PORT', undefined, 1, 65535),
    level: readLevel(reader),
    identity:
      scheme === '' ? undefined : { scheme, file: reader.text('ZOOKEEPER_AUTH_FILE', environment['IDENTITY_TOKEN']) },
    pod: readPod(reader, project, workload),
  };
  return reader.problems.length > 0 ? { problems: reader.problems } : { settings };
}

/** Reads `host:port,host:port/root`, ZooKeeper's connect string. */
function readEnsemble(reader: SettingsReader): Pick<RegistrarSettings, 'servers' | 'root'> {
  const text = reader.text('ZOOKEEPER');
  const slash = text.indexOf('/');
  const root = slash < 0 ? '' : text.slice(slash).replace(/\/+$/, '');
  const hosts = (slash < 0 ? text : text.slice(0, slash)).split(',').map((host) => host.trim());
  const servers = hosts.map((host) => {
    const match = /^(?:\[([0-9a-fA-F:]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(host);
    return { host: match?.[1] ?? match?.[2] ?? '', port: Number(match?.[3] ?? defaultZookeeperPort) };
  });
  const isValid =
    servers.every(({ host, port }) => host !== '' && port > 0 && port < 65536) &&
    root
      .split('/')
      .slice(1)
      .every((step) => segment.test(step));
  if (text !== '' && !isValid)
    reader.report('ZOOKEEPER', text, 'is not a list of servers', 'use host:port,host:port with an optional /root');
  return { servers, root };
}

function readService(reader: SettingsReader, defaultName: string): string {
  const name = reader.text('SERVICE_NAME', defaultName);
  if (name === '') return name; // its missing variables are reported already
  const steps = name.split('/');
  if (steps.length > 8 || !steps.every((step) => segment.test(step)))
    reader.report(
      'SERVICE_NAME',
      name,
      'is not a service name',
      'use letters, digits, ".", "_" and "-", in up to 8 segments separated by "/"',
    );
  return name;
}

function readAddress(reader: SettingsReader): string {
  const address = reader.text('PINION_POD_ADDRESS');
  if (address !== '' && isIP(address) === 0)
    reader.report('PINION_POD_ADDRESS', address, 'is not an IP address', 'set it with fieldRef status.podIP');
  return address;
}

function readPath(reader: SettingsReader): string {
  const path = reader.text('READINESS_PATH', '/healthz');
  if (!/^\/[\x21-\x7e]*$/.test(path))
    reader.report('READINESS_PATH', path, 'is not a path', 'start with / and percent-encode non-ASCII characters');
  return path;
}

function readLevel(reader: SettingsReader): LogLevel {
  const text = reader.text('LOG_LEVEL', 'info');
  const level = logLevels.find((known) => known === text);
  if (!level) reader.report('LOG_LEVEL', text, 'is not a log level', `use ${logLevels.join(', ')}`);
  return level ?? 'info';
}

function readPod(reader: SettingsReader, project: string, workload: string): PodIdentity {
  const uid = reader.text('PINION_POD_UID');
  if (uid !== '' && !segment.test(uid))
    reader.report('PINION_POD_UID', uid, 'is not a UID', 'set it with fieldRef metadata.uid');
  return {
    project,
    workload,
    uid,
    pod: reader.text('PINION_POD'),
    kind: reader.text('PINION_KIND', ''),
    version: reader.text('PINION_VERSION', ''),
    cluster: reader.text('PINION_CLUSTER', ''),
    node: reader.text('PINION_NODE', ''),
    region: reader.text('REGION', ''),
  };
}
