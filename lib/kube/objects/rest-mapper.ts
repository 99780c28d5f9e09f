import { type Resource, resourceOf } from './resource';

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
const keyOfKind = (apiVersion: string, kind: string): string => `${groupOf(apiVersion)}/${kind}`;

/** Maps kinds to resources: given ones, such as those of custom resource definitions, and the kinds that pinion knows. */
export class RestMapper {
  readonly #resources: ReadonlyMap<string, Resource>;

  constructor(resources: readonly Resource[] = []) {
    this.#resources = new Map(resources.map((resource) => [keyOfKind(resource.apiVersion, resource.kind), resource]));
  }

  /** Returns the resource of an object, in the API version of the object. Throws for an unknown kind. */
  resourceFor({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Resource {
    const given = this.#resources.get(keyOfKind(apiVersion, kind));
    return { ...(given ?? knownResource(apiVersion, kind)), apiVersion };
  }
}

/** A kind of another group may have the same name and another plural. */
function knownResource(apiVersion: string, kind: string): Resource {
  const resource = resourceOf(kind);
  if (groupOf(resource.apiVersion) === groupOf(apiVersion)) return resource;
  throw new Error(`unknown kind ${kind} of ${apiVersion}: add its resource to the option resources of the client`);
}
