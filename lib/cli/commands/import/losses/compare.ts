import { compareQuantities, isPlainObject, parseQuantity } from '../../../../api';
import { isSame, type Fields } from '../fields';

/** A value of a native object that the generated object lacks, or has differently. */
export interface LostValue {
  /** Path such as `spec.template.spec.containers[app].env[MODE]`. */
  readonly path: string;
  readonly before: unknown;
  /** Value of the generated object; undefined if it has none. */
  readonly after: unknown;
}

/** Returns the values of a native object that the generated one does not have; values that only it has do not count. */
export function lostValues(before: unknown, after: unknown, path = ''): readonly LostValue[] {
  if (isSame(before, after)) return [];
  if (Array.isArray(before)) return Array.isArray(after) ? lostEntries(before, after, path) : [{ path, before, after }];
  if (!isPlainObject(before)) return isEqualScalar(before, after, path) ? [] : [{ path, before, after }];
  // Each label and annotation is reported with its key.
  const isMetadata = /^metadata\.(labels|annotations)$/.test(path);
  if (!isPlainObject(after) && !isMetadata) return Object.keys(before).length === 0 ? [] : [{ path, before, after }];
  const keys = Object.keys(before);
  if (path !== '' && !isMetadata && keys.length > 1 && keys.every((key) => fieldsOf(after)[key] === undefined))
    return [{ path, before, after: undefined }];
  return keys.flatMap((key) => lostValues(before[key], fieldsOf(after)[key], path + stepOf(key, path)));
}

const fieldsOf = (value: unknown): Fields => (isPlainObject(value) ? value : {});

/** Fields that identify the entries of lists. */
const identities: readonly ((entry: Fields) => unknown)[] = [
  ({ mountPath }) => mountPath,
  ({ containerPort, protocol = 'TCP' }) => containerPort && `${String(containerPort)}/${String(protocol)}`,
  ({ port, protocol = 'TCP', name, targetPort }) =>
    (name ?? targetPort) !== undefined && port && `${String(port)}/${String(protocol)}`,
  ({ name }) => name,
  ({ metadata }) => isPlainObject(metadata) && metadata['name'],
];

function identityOf(entry: unknown): string | undefined {
  if (!isPlainObject(entry)) return undefined;
  for (const identity of identities) {
    const found = identity(entry);
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}

function lostEntries(before: readonly unknown[], after: readonly unknown[], path: string): readonly LostValue[] {
  // Their order and number matter.
  if (/\.(command|args)$/.test(path)) return [{ path, before, after }];
  return before.flatMap((entry, index) => {
    const identity = identityOf(entry);
    if (identity === undefined)
      return after.some((other) => lostValues(entry, other, path).length === 0)
        ? []
        : [{ path: `${path}[${index}]`, before: entry, after: undefined }];
    const match = after.find((other) => identityOf(other) === identity);
    return lostValues(entry, match, `${path}[${identity}]`);
  });
}

const isQuantityPath = (path: string): boolean => /\.(requests|limits|divisor|sizeLimit|averageValue)\b/.test(path);

/** Returns whether two scalars mean the same: 80 and "80", or 1000m and 1. */
function isEqualScalar(before: unknown, after: unknown, path: string): boolean {
  if (typeof after === 'object' || after === undefined) return false;
  if (String(before) === String(after)) return true;
  if (!isQuantityPath(path)) return false;
  const [a, b] = [parseQuantity(String(before)), parseQuantity(String(after))];
  return a !== undefined && b !== undefined && compareQuantities(a, b) === 0;
}

const stepOf = (key: string, path: string): string =>
  /^[\w-]+$/.test(key) ? `${path === '' ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`;
