import * as z from 'zod';
import { type KubeClient } from '../../kube';
import { apiVersionOf, type CachedResource, groupResourceOf, selectableFieldsOf } from './cached-resource';

/** Resource as an operator names it. */
export interface ResourceName {
  /** API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name, such as `pods`. */
  readonly plural: string;
}

const resourceList = z.object({
  resources: z.array(
    z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean(), verbs: z.array(z.string()) }),
  ),
});

/** Which resources may be cached although their objects may be sensitive. */
export interface CacheableOptions {
  /** Whether ConfigMaps may be cached. @default false */
  readonly cacheConfigMaps?: boolean;
}

/**
 * Asks the API server about a resource. Throws for one that the server does not serve, and for one that cannot be listed
 * and watched.
 */
export async function discoverResource(client: KubeClient, name: ResourceName): Promise<CachedResource> {
  const apiVersion = apiVersionOf(name);
  const path = name.group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  const { resources } = resourceList.parse(await client.request('GET', path));
  const found = resources.find((resource) => resource.name === name.plural);
  if (!found) throw new Error(`${path}: the API server has no resource "${name.plural}"`);
  if (!['list', 'watch'].every((verb) => found.verbs.includes(verb)))
    throw new Error(`${path}: ${name.plural} cannot be listed and watched, so not cached either`);
  const { kind, namespaced } = found;
  return {
    ...name,
    apiVersion,
    kind,
    namespaced,
    selectableFields: selectableFieldsOf(name.group, name.plural, namespaced),
  };
}

/** Throws for resources that must not be cached, and for one that is there twice. */
export function checkCacheableResources(names: readonly ResourceName[], options: CacheableOptions): void {
  const known = new Set<string>();
  for (const name of names) {
    checkCacheable(name, options);
    const key = groupResourceOf(name);
    if (known.has(key)) throw new Error(`gateway: resources: "${key}" is there twice; remove one of them`);
    known.add(key);
  }
}

function checkCacheable({ group, plural }: ResourceName, { cacheConfigMaps = false }: CacheableOptions): void {
  if (group !== '') return;
  const refuse = (reason: string, remedy: string): never => {
    throw new Error(`gateway: resources: "${plural}" ${reason}; ${remedy}`);
  };
  if (plural === 'secrets')
    refuse(
      'are not cached, because the gateway would hold the credentials of all namespaces',
      'remove them from the list; clients read them through the gateway from the API server',
    );
  if (plural === 'configmaps' && !cacheConfigMaps)
    refuse(
      'are not cached by default, because some contain credentials',
      'remove them from the list, or set cacheConfigMaps to true',
    );
}
