import { isPlainObject } from '../api';

const referenceFields = new Set(['configMap', 'configMapRef', 'configMapKeyRef']);

/** Returns `found` with the names of all ConfigMaps that a pod template, or an object with one, refers to. */
export function configMapReferences(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const entry of value) configMapReferences(entry, found);
  else if (isPlainObject(value)) {
    for (const [key, entry] of Object.entries(value)) {
      if (referenceFields.has(key) && isPlainObject(entry) && typeof entry['name'] === 'string')
        found.add(entry['name']);
      configMapReferences(entry, found);
    }
  }
  return found;
}
