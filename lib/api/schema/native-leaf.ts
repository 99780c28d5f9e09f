import { leaf } from './field-facts';
import { checkNative, nativeSchema, type TypeName } from '../native';

/** Returns the schema of a list of native Kubernetes objects, or of a single object without `max`. */
export function nativeLeaf<T>(type: TypeName, max?: number) {
  const crd = (): Record<string, unknown> =>
    max === undefined ? nativeSchema(type) : { type: 'array', maxItems: max, items: nativeSchema(type) };
  return leaf<T>(max === undefined ? type : `${type}[]`, crd, (value, report) => {
    if (value === undefined) return;
    if (max === undefined) return checkNative(type, value, [], report);
    if (!Array.isArray(value)) {
      report({ code: 'wrong-type', path: [], value, reason: 'is not a list', remedy: `write a list of ${type}` });
      return;
    }
    if (value.length > max)
      report({
        code: 'out-of-range',
        path: [],
        reason: `has ${value.length} entries, more than ${max}`,
        remedy: `use at most ${max}`,
      });
    value.forEach((entry, index) => checkNative(type, entry, [index], report));
  });
}
