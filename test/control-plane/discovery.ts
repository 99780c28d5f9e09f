import { type ApiResponse } from './api-response';

/** Type and object metadata of any Kubernetes object. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

/** One resource in the server's discovery document. */
interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Returns the path of a group version, such as `/api/v1` or `/apis/apps/v1`. */
export const groupPath = (apiVersion: string): string =>
  apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

/** Resolves the path of an object from its apiVersion and kind, by the server's discovery documents. */
export class Discovery {
  readonly #resources = new Map<string, Promise<readonly Resource[]>>();

  constructor(private readonly get: (path: string) => Promise<ApiResponse>) {}

  /** Returns the path of the collection of an object. Rejects where the server does not serve its kind. */
  async collectionPath(object: ObjectReference): Promise<string> {
    const { apiVersion, kind, metadata } = object;
    const resource = (await this.#find(apiVersion, kind, false)) ?? (await this.#find(apiVersion, kind, true));
    if (!resource) throw new Error(`the API server does not serve ${kind} of ${apiVersion}`);
    const namespacePath = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
    return `${groupPath(apiVersion)}${namespacePath}/${resource.name}`;
  }

  /** Returns the path of one object. Rejects where it has no name. */
  async objectPath(object: ObjectReference): Promise<string> {
    const { name } = object.metadata;
    if (!name) throw new Error(`a ${object.kind} without metadata.name has no path`);
    return `${await this.collectionPath(object)}/${encodeURIComponent(name)}`;
  }

  /** Returns whether the server currently serves the kind, without the cache. */
  async serves(apiVersion: string, kind: string): Promise<boolean> {
    return (await this.#find(apiVersion, kind, true)) !== undefined;
  }

  async #find(apiVersion: string, kind: string, isForced: boolean): Promise<Resource | undefined> {
    let resources = this.#resources.get(apiVersion);
    if (isForced || !resources) {
      resources = this.#list(apiVersion);
      this.#resources.set(apiVersion, resources);
      // A failure must not be cached.
      resources.catch(() => this.#resources.delete(apiVersion));
    }
    return (await resources).find((resource) => resource.kind === kind && !resource.name.includes('/'));
  }

  async #list(apiVersion: string): Promise<readonly Resource[]> {
    const response = await this.get(groupPath(apiVersion));
    if (response.status === 404) return [];
    if (response.status !== 200) throw new Error(`discovery of ${apiVersion}: status ${response.status}`);
    return (response.body as { resources: readonly Resource[] }).resources;
  }
}
