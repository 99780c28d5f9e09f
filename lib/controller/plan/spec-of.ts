import { isPlainObject } from '../../api';

/** Returns the `spec` of an object; empty if absent. */
export function specOf(object: object): Readonly<Record<string, unknown>> {
  const { spec } = object as { readonly spec?: unknown };
  return isPlainObject(spec) ? spec : {};
}
