import { explainProblem, manager, ProblemsError } from '../../api';
import type * as KubeModule from '../../kube';
import { type Clock, type ConnectionSettings, type KubeClient, type LiveObject, type Selection } from '../../kube';
import { type OptionSpecs } from '../command/command-spec';
import { UnavailableError, type Io } from '../io/io';

/** Options of commands that connect to a cluster. */
export const clusterOptions = {
  kubeconfig: {
    type: 'string',
    valueName: 'FILE',
    description: 'kubeconfig file',
    defaultText: 'the files listed in KUBECONFIG, else ~/.kube/config',
  },
  context: {
    type: 'string',
    valueName: 'NAME',
    description: 'context of the kubeconfig file',
    defaultText: 'current context',
  },
} as const satisfies OptionSpecs;

/** Options that select the cluster of `--live`. */
export const liveOptions = {
  kubeconfig: { ...clusterOptions.kubeconfig, requires: 'live' },
  context: { ...clusterOptions.context, requires: 'live' },
} as const satisfies OptionSpecs;

/** Read access to a cluster. */
export interface ReadCluster {
  /** All objects of a resource, page by page. */
  list(kind: string, selection?: Selection): Promise<readonly LiveObject[]>;
  /** Like `list`, but empty if the cluster does not know the kind or denies access to it; `onDenied` is then called. */
  listIfKnown(kind: string, selection?: Selection, onDenied?: () => void): Promise<readonly LiveObject[]>;
  get(kind: string, name: string, namespace?: string): Promise<LiveObject | undefined>;
  /** Namespace of the context. */
  readonly namespace: string;
}

/** Number of requests of a command at the same time. */
export const maxRequests = 8;

/** User agent of all requests, as shown in audit logs. */
export const userAgent = 'pinion-cli';

/** A connection to a cluster, to read and to write. */
export interface ClusterConnection {
  readonly client: KubeClient;
  readonly settings: ConnectionSettings;
  readonly kube: typeof KubeModule;
  readonly clock: Clock;
}

/** Options that select the cluster. */
export type KubeconfigOptions = { readonly kubeconfig?: string; readonly context?: string };

/** Connects as kubectl does, runs a read-only action, and closes the connection. Throws an `UnavailableError` if the cluster does not respond. */
export const withCluster = <T>(
  options: KubeconfigOptions,
  io: Io,
  action: (cluster: ReadCluster) => Promise<T>,
): Promise<T> =>
  withConnection(options, io, ({ client, settings, kube }) => action(readCluster(client, settings.namespace, kube)));

/** Connects as kubectl does, runs an action, and closes the connection. Throws an `UnavailableError` if the cluster does not respond. */
export async function withConnection<T>(
  { kubeconfig, context }: KubeconfigOptions,
  io: Io,
  action: (connection: ClusterConnection) => Promise<T>,
): Promise<T> {
  if (!io.system) throw new UnavailableError('cannot connect to a cluster from here');
  // Loaded here, so that other commands do not load the client.
  const kube = module.require('../../kube') as typeof KubeModule;
  const { environment, clock } = io.system;
  let client: KubeClient | undefined;
  try {
    const settings = kube.loadKubeConfig({
      environment,
      ...(kubeconfig !== undefined && { file: kubeconfig }),
      ...(context !== undefined && { context }),
    });
    client = kube.connect(settings, { clock, userAgent, fieldManager: manager });
    return await action({ client, settings, kube, clock });
  } catch (error) {
    if (error instanceof ProblemsError) throw new UnavailableError(error.problems.map(explainProblem).join('\n'));
    if (kube.isApiError(error)) throw new UnavailableError(`the cluster: ${error.message}`);
    throw error;
  } finally {
    client?.close();
  }
}

function readCluster(client: KubeClient, namespace: string, kube: typeof KubeModule): ReadCluster {
  const list = async (kind: string, selection: Selection = {}) => kube.listAllPages(client, kind, selection);
  return {
    namespace,
    list,
    async listIfKnown(kind, selection, onDenied) {
      try {
        return await list(kind, selection);
      } catch (error) {
        if (!kube.isApiError(error, 403, 404)) throw error;
        if (kube.isApiError(error, 403)) onDenied?.();
        return [];
      }
    },
    get: (kind, name, objectNamespace) =>
      client.get(kube.resourceOf(kind), { name, ...(objectNamespace !== undefined && { namespace: objectNamespace }) }),
  };
}
