import { type Resource } from '../../kube';

/** Resource whose objects the gateway keeps, as the API server's discovery describes it. */
export interface CachedResource extends Resource {
  /** API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Fields that field selectors may name, such as `spec.nodeName`. */
  readonly selectableFields: readonly string[];
}

/** Fields of built-in resources that field selectors may name, in addition to name and namespace. */
const builtInFields: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  namespaces: ['status.phase'],
};

/** Returns the fields that field selectors of a resource may name; all others are left to the API server. */
export function selectableFieldsOf(group: string, plural: string, namespaced: boolean): readonly string[] {
  const own = group === '' ? (builtInFields[plural] ?? []) : [];
  return ['metadata.name', ...(namespaced ? ['metadata.namespace'] : []), ...own];
}

/** Returns a group and version as objects state them, such as `apps/v1`. */
export const apiVersionOf = ({ group, version }: Pick<CachedResource, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** Name of a resource as messages of the API server spell it, such as `deployments.apps`. */
export const groupResourceOf = ({ group, plural }: Pick<CachedResource, 'group' | 'plural'>): string =>
  group === '' ? plural : `${plural}.${group}`;
