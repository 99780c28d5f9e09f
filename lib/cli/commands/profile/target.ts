import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { controllerName, controllerProfilePort } from '../../../expand';
import { type ConnectionSettings } from '../../../kube';
import { httpUrlType } from '../../command/option-value-type';
import { clusterOptions, type ClusterConnection } from '../../cluster/cluster-connection';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { textOutput } from '../../command/output-options';
import { UnavailableError, reasonOf, type Io } from '../../io/io';

/** Options of `pinion profile`. */
export const profileOptions = {
  heap: { type: 'flag', description: 'profile memory in use', conflictsWith: ['cpu'] },
  cpu: { type: 'flag', description: 'profile CPU time' },
  seconds: { type: 'integer', min: 1, max: 600, default: 10, description: 'duration of --cpu', requires: 'cpu' },
  file: { type: 'string', valueName: 'FILE', description: 'saved profile to read instead' },
  diff: {
    type: 'string',
    valueName: 'FILE',
    description: 'earlier profile; shows what increased and decreased since then',
  },
  save: {
    type: 'string',
    valueName: 'FILE',
    description: 'file to save the profile to, for --diff and "go tool pprof"',
  },
  value: {
    type: 'string',
    valueName: 'TYPE',
    description: 'sample type to show, such as alloc_space or inuse_objects',
  },
  url: {
    type: 'parsed',
    valueType: httpUrlType('https://127.0.0.1:10257'),
    description: 'address of the program, such as https://127.0.0.1:10257 on a control plane node',
  },
  cacert: { type: 'string', valueName: 'FILE', description: 'certificate authority to trust for --url' },
  insecure: { type: 'flag', description: 'skip TLS verification for --url' },
  namespace: {
    type: 'string',
    valueName: 'NAME',
    description: "namespace of pinion's controller",
    defaultText: 'pinion-controller',
  },
  ...clusterOptions,
  output: textOutput,
  html: { type: 'string', valueName: 'FILE', description: 'file for an interactive flame graph' },
  svg: { type: 'string', valueName: 'FILE', description: 'file for the flame graph as an SVG image' },
  speedscope: {
    type: 'string',
    valueName: 'FILE',
    description: 'file for the flame graph in the format of speedscope',
  },
  top: { type: 'integer', min: 1, max: 10_000, default: 20, description: 'number of functions to show' },
} as const satisfies OptionSpecs;

/** Values of `profileOptions`. */
export type ProfileOptions = OptionValues<typeof profileOptions>;

/** Kubernetes components with their label and port in kubeadm clusters. */
const components = {
  'controller-manager': { component: 'kube-controller-manager', port: 10257 },
  scheduler: { component: 'kube-scheduler', port: 10259 },
} as const;

/** Programs that can be profiled. */
export const profiledPrograms = ['apiserver', 'controller-manager', 'scheduler', 'controller'] as const;

/** A program that can be profiled. */
export type ProfiledProgram = (typeof profiledPrograms)[number];

/** Address at which a program serves profiles, and the messages for when it does not respond. */
export interface Target {
  readonly settings: ConnectionSettings;
  /** URL path before `/debug/pprof`. */
  readonly prefix: string;
  /** Required permission, as the object of "requires". */
  readonly permission: string;
  readonly absent: string;
}

/** Returns the profiling endpoint of a program: `--url`, the API server, or a pod through the API server. */
export async function targetOf(
  program: ProfiledProgram,
  options: ProfileOptions,
  connection: ClusterConnection,
  io: Io,
): Promise<Target> {
  const { settings } = connection;
  const { url } = options;
  const endpoint =
    url !== undefined
      ? { settings: otherServerSettings(url, options, settings, io), prefix: '' }
      : { settings, prefix: await prefixOf(program, options, connection) };
  if (program === 'controller')
    return {
      ...endpoint,
      permission: `permission to "get" pods/proxy in the namespace ${namespaceOf(options)}`,
      absent: 'the pod may be gone, or run without --profile-port',
    };
  return {
    ...endpoint,
    permission: 'permission to "get" the URL /debug/pprof/*, which system:masters has',
    absent: 'the program may run with --profiling=false',
  };
}

const namespaceOf = ({ namespace }: ProfileOptions): string => namespace ?? controllerName;

async function prefixOf(
  program: ProfiledProgram,
  options: ProfileOptions,
  connection: ClusterConnection,
): Promise<string> {
  if (program === 'apiserver') return '';
  if (program === 'controller') {
    const namespace = namespaceOf(options);
    const pod = await leaderOf(namespace, connection);
    return `/api/v1/namespaces/${namespace}/pods/http:${pod}:${controllerProfilePort}/proxy`;
  }
  const { component, port } = components[program];
  const selection = { namespace: 'kube-system', labelSelector: `component=${component}` };
  const pods = await connection.kube.listAllPages(connection.client, 'Pod', selection);
  const name = pods.map(({ metadata }) => metadata.name).sort()[0];
  if (name === undefined)
    throw new UnavailableError(
      `no pod of kube-system has the label component=${component}; pass --url, such as https://127.0.0.1:${port} on a control plane node`,
    );
  return `/api/v1/namespaces/kube-system/pods/https:${name}:${port}/proxy`;
}

/** Returns the leading pod. The holder identity of the lease is the pod's name and a suffix per process. */
async function leaderOf(namespace: string, { client, kube }: ClusterConnection): Promise<string> {
  const lease = await client.get(kube.resourceOf('Lease'), { namespace, name: controllerName });
  const { holderIdentity = '' } = (lease?.['spec'] ?? {}) as { readonly holderIdentity?: string };
  const pod = holderIdentity.slice(0, Math.max(0, holderIdentity.lastIndexOf('_')));
  if (pod !== '') return pod;
  throw new UnavailableError(
    `the lease ${controllerName} of the namespace ${namespace} has no holder; pass --namespace or --url`,
  );
}

/** Returns settings for another server, with the credentials of the cluster. Its certificate is verified unless --insecure is set. */
function otherServerSettings(
  url: URL,
  { cacert, insecure }: ProfileOptions,
  { credential, namespace }: ConnectionSettings,
  io: Io,
): ConnectionSettings {
  const authority = cacert === undefined ? undefined : readCertificate(cacert, io);
  return {
    server: url.href.replace(/\/$/, ''),
    namespace,
    // Plain HTTP would expose the credentials.
    credential: url.protocol === 'https:' ? credential : () => Promise.resolve({}),
    ...(authority !== undefined && { authority: () => authority }),
    insecure,
  };
}

function readCertificate(file: string, io: Io): string {
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  }
}
