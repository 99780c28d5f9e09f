import { type isApiError, type KubeClient, type listAllPages } from '../../kube';

/** What a cluster says about its clients. */
export interface ReadClusterClients {
  /** The Platform and the Projects, each with its kind. */
  readonly objects: readonly unknown[];
  /** Metrics of the API server; empty without permission. */
  readonly metrics: string;
}

/** Client of the cluster, and functions of its module, which a command loads only when it needs them. */
export interface ClusterClientsDeps {
  readonly client: KubeClient;
  readonly kube: { readonly isApiError: typeof isApiError; readonly listAllPages: typeof listAllPages };
  /** Called for what the client may not read, or the cluster does not have, with the consequence. */
  readonly onMissing: (message: string) => void;
}

/** Reads the Platform, Projects and the API server's metrics; what is denied or missing is reported. */
export async function readClusterClients({ client, kube, onMissing }: ClusterClientsDeps): Promise<ReadClusterClients> {
  const unlessDenied = async <T>(read: Promise<T>, substitute: T, consequence: string): Promise<T> => {
    try {
      return await read;
    } catch (error) {
      if (!kube.isApiError(error, 403, 404)) throw error;
      onMissing(`${error.message}; ${consequence}`);
      return substitute;
    }
  };
  const projects = await unlessDenied(kube.listAllPages(client, 'Project'), [], 'no client has a Project');
  const platforms = await unlessDenied(kube.listAllPages(client, 'Platform'), [], 'only kube-system may be direct');
  const metrics = client.request('GET', '/metrics', undefined, { accept: 'text/plain' });
  return {
    objects: [...projects.map(withKind('Project')), ...platforms.map(withKind('Platform'))],
    metrics: String(await unlessDenied(metrics, '', 'lists count as one seat')),
  };
}

/** Returns a function that sets the kind of an object, which the items of a list may lack. */
const withKind =
  (kind: string) =>
  (object: object): object => ({ ...object, kind });
