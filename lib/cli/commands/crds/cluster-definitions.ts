import { asDefinition, type CustomResourceDefinition, type StoredObject, storageVersion } from '../../../definitions';
import { type LiveObject } from '../../../kube';
import { type ClusterConnection } from '../../cluster/cluster-connection';

/** Path of the definitions in the API server. */
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Objects per request; a page of the largest workloads stays below 5 MB. */
const pageSize = 250;

interface Page {
  readonly items: readonly LiveObject[];
  readonly metadata: { readonly continue?: string };
}

/** Reads all objects of a path, page by page. */
export async function* listPath(path: string, { client }: Pick<ClusterConnection, 'client'>): AsyncGenerator<LiveObject> {
  let next: string | undefined;
  do {
    const query = { limit: String(pageSize), ...(next !== undefined && { continue: next }) };
    const page = (await client.request('GET', path, undefined, { query })) as Page;
    yield* page.items;
    next = page.metadata.continue === '' ? undefined : page.metadata.continue;
  } while (next !== undefined);
}

/** Reads the definitions of a cluster with these names; those that do not exist are absent. */
export async function clusterDefinitions(
  names: readonly string[],
  { client, kube }: ClusterConnection,
): Promise<CustomResourceDefinition[]> {
  const found: CustomResourceDefinition[] = [];
  for (const name of names) {
    try {
      const definition = asDefinition(await client.request('GET', `${definitionsPath}/${encodeURIComponent(name)}`));
      if (definition) found.push(definition);
    } catch (error) {
      if (!kube.isApiError(error, 404)) throw error;
    }
  }
  return found;
}

/** Path of all objects of a definition in one version. */
export const objectsPath = ({ spec }: CustomResourceDefinition, version: string): string =>
  `/apis/${spec.group}/${version}/${spec.names.plural}`;

/** Reads all objects of definitions in their storage version, or in another served one. */
export async function clusterObjects(
  definitions: readonly CustomResourceDefinition[],
  connection: ClusterConnection,
): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for (const definition of definitions) {
    const storage = storageVersion(definition);
    const version = storage?.served === true ? storage : definition.spec.versions.find(({ served }) => served);
    if (!version) continue;
    for await (const object of listPath(objectsPath(definition, version.name), connection))
      objects.push(object);
  }
  return objects;
}
