import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { controllerName, controllerProfilePort } from '../../../expand';
import { type ConnectionSettings } from '../../../kube';
import { type Arguments, UsageError } from '../../command/arguments';
import { clusterOptions, type ClusterConnection } from '../../cluster/cluster-connection';
import { UnavailableError, reasonOf, type Io } from '../../io/io';

/** Options of `pinion profile`. */
export const profileOptions = {
  ...clusterOptions,
  heap: { type: 'boolean' },
  cpu: { type: 'boolean' },
  seconds: { type: 'string' },
  value: { type: 'string' },
  file: { type: 'string' },
  diff: { type: 'string' },
  save: { type: 'string' },
  url: { type: 'string' },
  cacert: { type: 'string' },
  insecure: { type: 'boolean' },
  namespace: { type: 'string' },
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
  html: { type: 'string' },
  svg: { type: 'string' },
  speedscope: { type: 'string' },
  top: { type: 'string' },
} as const;

/** A command line of `pinion profile`. */
export type ProfileArguments = Arguments<keyof typeof profileOptions>;

/** Programs of Kubernetes by the word for them, with the label and port that kubeadm gives them. */
const components = {
  'controller-manager': { component: 'kube-controller-manager', port: 10257 },
  scheduler: { component: 'kube-scheduler', port: 10259 },
} as const;

/** What a profile can be of. */
export const profiledPrograms = ['apiserver', 'controller-manager', 'scheduler', 'controller'] as const;

/** A program that a profile can be of. */
export type ProfiledProgram = (typeof profiledPrograms)[number];

/** Where a program is asked, and what to say where it does not answer. */
export interface Target {
  readonly settings: ConnectionSettings;
  /** Stands before `/debug/pprof`. */
  readonly prefix: string;
  readonly right: string;
  readonly absent: string;
}

/** Finds where a program is asked: at `--url`, at the API server itself, else through the API server at a pod. */
export async function targetOf(
  program: ProfiledProgram,
  given: ProfileArguments,
  connection: ClusterConnection,
  io: Io,
): Promise<Target> {
  const { settings } = connection;
  const { url } = given.values;
  const where =
    url !== undefined
      ? { settings: elsewhere(url, given, settings, io), prefix: '' }
      : { settings, prefix: await prefixOf(program, given, connection) };
  if (program === 'controller')
    return {
      ...where,
      right: `the right to "get" pods/proxy in the namespace ${namespaceOf(given)}`,
      absent: 'the pod may be gone, or run without --profile-port',
    };
  return {
    ...where,
    right: 'the right to "get" the URL /debug/pprof/*, which system:masters has',
    absent: 'the program may run with --profiling=false',
  };
}

const namespaceOf = ({ values }: ProfileArguments): string => values.namespace ?? controllerName;

async function prefixOf(
  program: ProfiledProgram,
  given: ProfileArguments,
  connection: ClusterConnection,
): Promise<string> {
  if (program === 'apiserver') return '';
  if (program === 'controller') {
    const namespace = namespaceOf(given);
    const pod = await leaderOf(namespace, connection);
    return `/api/v1/namespaces/${namespace}/pods/http:${pod}:${controllerProfilePort}/proxy`;
  }
  const { component, port } = components[program];
  const selection = { namespace: 'kube-system', labelSelector: `component=${component}` };
  const pods = await connection.kube.listAllPages(connection.client, 'Pod', selection);
  const name = pods.map(({ metadata }) => metadata.name).sort()[0];
  if (name === undefined)
    throw new UnavailableError(
      `no pod of kube-system has the label component=${component}; give --url, such as https://127.0.0.1:${port} on a master`,
    );
  return `/api/v1/namespaces/kube-system/pods/https:${name}:${port}/proxy`;
}

/** The pod that works, by the lease: its holder is the pod's name and what tells its processes apart. */
async function leaderOf(namespace: string, { client, kube }: ClusterConnection): Promise<string> {
  const lease = await client.get(kube.resourceOf('Lease'), { namespace, name: controllerName });
  const { holderIdentity = '' } = (lease?.['spec'] ?? {}) as { readonly holderIdentity?: string };
  const pod = holderIdentity.slice(0, Math.max(0, holderIdentity.lastIndexOf('_')));
  if (pod !== '') return pod;
  throw new UnavailableError(
    `the lease ${controllerName} of the namespace ${namespace} names no controller that leads; give --namespace, or --url`,
  );
}

/** Another server, with the credentials of the cluster: it must be known by its certificate, unless that is waived. */
function elsewhere(
  text: string,
  { values, flags }: ProfileArguments,
  { credential, namespace }: ConnectionSettings,
  io: Io,
): ConnectionSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--url takes an address such as https://127.0.0.1:10257, not ${text}`);
  const { cacert } = values;
  const authority = cacert === undefined ? undefined : readCertificate(cacert, io);
  return {
    server: url.href.replace(/\/$/, ''),
    namespace,
    // Over plain HTTP anybody on the way could read them.
    credential: url.protocol === 'https:' ? credential : () => Promise.resolve({}),
    ...(authority !== undefined && { authority: () => authority }),
    insecure: flags.insecure === true,
  };
}

function readCertificate(file: string, io: Io): string {
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  }
}
