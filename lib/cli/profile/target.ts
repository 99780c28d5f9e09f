import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ConnectionSettings } from '../../kube';
import { type Arguments, UsageError } from '../arguments';
import { clusterOptions, type Connection } from '../cluster-connection';
import { Inaccessible, reasonOf, type Io } from '../io';

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
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
  html: { type: 'string' },
  svg: { type: 'string' },
  speedscope: { type: 'string' },
  top: { type: 'string' },
} as const;

/** A command line of `pinion profile`. */
export type ProfileArguments = Arguments<keyof typeof profileOptions>;

/** Programs by the word for them, with the label and port that kubeadm gives them; the API server is asked itself. */
export const programs: Readonly<Record<string, { readonly component: string; readonly port: number } | undefined>> = {
  apiserver: undefined,
  'controller-manager': { component: 'kube-controller-manager', port: 10257 },
  scheduler: { component: 'kube-scheduler', port: 10259 },
};

/** Where a program is asked: settings of the connection, and what stands before `/debug/pprof`. */
export interface Target {
  readonly settings: ConnectionSettings;
  readonly prefix: string;
}

/** Finds where a program is asked: at `--url`, at the API server itself, else through the API server at a pod. */
export async function targetOf(
  program: string,
  given: ProfileArguments,
  { settings, client, kube }: Connection,
  io: Io,
): Promise<Target> {
  const { url } = given.texts;
  if (url !== undefined) return { settings: elsewhere(url, given, settings, io), prefix: '' };
  const wanted = programs[program];
  if (!wanted) return { settings, prefix: '' };
  const selection = { namespace: 'kube-system', labelSelector: `component=${wanted.component}` };
  const pods = await kube.allPages(client, 'Pod', selection);
  const name = pods.map(({ metadata }) => metadata.name).sort()[0];
  if (name === undefined)
    throw new Inaccessible(
      `no pod of kube-system has the label component=${wanted.component}; give --url, such as https://127.0.0.1:${wanted.port} on a master`,
    );
  return { settings, prefix: `/api/v1/namespaces/kube-system/pods/https:${name}:${wanted.port}/proxy` };
}

/** Another server, with the credentials of the cluster: it must be known by its certificate, unless that is waived. */
function elsewhere(
  text: string,
  { texts, flags }: ProfileArguments,
  { credential, namespace }: ConnectionSettings,
  io: Io,
): ConnectionSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--url takes an address such as https://127.0.0.1:10257, not ${text}`);
  const { cacert } = texts;
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
    throw new Inaccessible(`${file} ${reasonOf(error)}`);
  }
}
