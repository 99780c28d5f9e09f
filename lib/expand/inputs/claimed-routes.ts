import { isPlainObject, valueAt } from '../../api';
import { derivedName } from '../objects/name';

/** Stored workload, which may be invalid. */
interface StoredWorkload {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
}

/**
 * Returns index values for the routes of a stored workload, without the Platform: two workloads of a project with a route
 * in common have an index value in common.
 */
export function claimedRoutes({ metadata: { name, namespace = '' }, spec }: StoredWorkload): readonly string[] {
  const loadBalancer = valueAt(spec, ['loadBalancer']);
  if (!isPlainObject(loadBalancer)) return [];
  const { hosts, paths } = loadBalancer;
  const hostKeys = Array.isArray(hosts)
    ? hosts.flatMap((host) => (typeof host === 'string' ? hostKeysOf(host, namespace) : []))
    : [generatedKey(derivedName([name]), namespace)];
  const pathKeys = Array.isArray(paths) ? paths.flatMap(pathKeyOf) : pathKeyOf({});
  return hostKeys.flatMap((host) => pathKeys.map((path) => `${namespace} ${host} ${path}`));
}

/** Host names of any domain are alike: the domain of a generated one depends on the Platform. */
const generatedKey = (label: string, namespace: string): string => `${label}.${namespace}.*`;

function hostKeysOf(host: string, namespace: string): string[] {
  const [label = '', project] = host.split('.', 2);
  return project === namespace ? [host, generatedKey(label, namespace)] : [host];
}

function pathKeyOf(entry: unknown): string[] {
  if (!isPlainObject(entry)) return [];
  const { path = '/', match = 'Prefix' } = entry;
  return [`${String(match)} ${String(path)}`];
}
