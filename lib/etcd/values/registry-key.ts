/** Parsed storage key of an object. */
export interface RegistryKey {
  /** Resource in the API's terms if known: `pods`, `gadgets.example.com`. */
  readonly resource: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** Key names that differ from the API's resource names. */
const known: Readonly<Record<string, string>> = {
  minions: 'nodes',
  controllers: 'replicationcontrollers',
  'services/specs': 'services',
  'services/endpoints': 'endpoints',
};

/** Resource name of keys that are not objects of an API server. */
export const otherKeys = 'other keys';

/** Parses the storage key of an object, with any prefix, `/registry` or another. */
export function registryKey(key: string): RegistryKey {
  const parts = key.split('/');
  const [before, , first = '', second = '', ...rest] = parts;
  if (before !== '' || parts.length < 4)
    return { resource: before === '' && parts.length === 3 ? first : otherKeys, namespace: '', name: key };
  const isGroup = first.includes('.');
  const isPair = isGroup || (first === 'services' && rest.length > 0);
  const path = isPair ? (isGroup ? `${second}.${first}` : `${first}/${second}`) : first;
  const tail = isPair ? rest : [second, ...rest];
  const resource = known[path] ?? path;
  const [namespace = '', ...name] = tail;
  return name.length === 0
    ? { resource, namespace: '', name: namespace }
    : { resource, namespace, name: name.join('/') };
}
