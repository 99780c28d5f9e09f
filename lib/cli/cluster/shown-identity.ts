import { isPlainObject } from '../../api';

/** Namespace and name of an object as reports show them. */
export interface ShownIdentity {
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Returns how reports identify an object; native objects of inputs may have no name, or one that the cluster generates. */
export function shownIdentity({ metadata }: { readonly metadata?: unknown }): ShownIdentity {
  const { namespace, name, generateName } = isPlainObject(metadata) ? metadata : {};
  return {
    namespace: typeof namespace === 'string' && namespace !== '' ? namespace : undefined,
    name:
      typeof name === 'string' && name !== ''
        ? name
        : typeof generateName === 'string'
          ? `${generateName}*`
          : '(without a name)',
  };
}

/** Returns whether an object has a name, so that it can be found in a cluster. */
export const hasName = ({ metadata }: { readonly metadata?: unknown }): boolean =>
  isPlainObject(metadata) && typeof metadata['name'] === 'string' && metadata['name'] !== '';
