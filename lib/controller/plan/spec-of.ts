import { isPlainObject } from '../../api';

/** `spec` of an object; empty where it has none. */
export function specOf(object: object): Readonly<Record<string, unknown>> {
  const { spec } = object as { readonly spec?: unknown };
  return isPlainObject(spec) ? spec : {};
}
