/** What the key of an object says: where the API server keeps it. */
export interface RegistryKey {
  /** As the API names it where that is known: `pods`, `gadgets.example.com`. */
  readonly resource: string;
  /** Empty for what belongs to no namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** Names of keys that differ from those of the API. */
const known: Readonly<Record<string, string>> = {
  minions: 'nodes',
  controllers: 'replicationcontrollers',
  'services/specs': 'services',
  'services/endpoints': 'endpoints',
};

/** What keys are called that are no objects of an API server. */
export const otherKeys = 'other keys';

/** Takes the key of an object apart; any prefix will do, `/registry` or another. */
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
