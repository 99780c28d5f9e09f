/** Parsed storage key of an object. */
export interface RegistryKey {
  /** Resource name as in the API if known, such as `pods` or `gadgets.example.com`. */
  readonly resource: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** API resource names of keys that differ from them. */
const resourceNames: Readonly<Record<string, string>> = {
  minions: 'nodes',
  controllers: 'replicationcontrollers',
  'services/specs': 'services',
  'services/endpoints': 'endpoints',
};

/** Resource name of keys that are not objects of an API server. */
export const otherKeys = 'other keys';

/** Parses the storage key of an object, with any prefix, such as `/registry`. */
export function registryKey(key: string): RegistryKey {
  const parts = key.split('/');
  const [before, , first = '', second = '', ...rest] = parts;
  if (before !== '' || parts.length < 4)
    return { resource: before === '' && parts.length === 3 ? first : otherKeys, namespace: '', name: key };
  const isGroup = first.includes('.');
  const hasTwoParts = isGroup || (first === 'services' && rest.length > 0);
  const path = hasTwoParts ? (isGroup ? `${second}.${first}` : `${first}/${second}`) : first;
  const tail = hasTwoParts ? rest : [second, ...rest];
  const resource = resourceNames[path] ?? path;
  const [namespace = '', ...name] = tail;
  return name.length === 0
    ? { resource, namespace: '', name: namespace }
    : { resource, namespace, name: name.join('/') };
}
