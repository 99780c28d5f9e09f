import { isPlainObject } from '../../api';

type Fields = Readonly<Record<string, unknown>>;

/** Returns a number of a status; Kubernetes omits zeros. */
export const statusNumber = (status: Fields, field: string): number => {
  const value = status[field];
  return typeof value === 'number' ? value : 0;
};

/** Returns a string of a status. */
export const statusString = (status: Fields, field: string): string | undefined => {
  const value = status[field];
  return typeof value === 'string' ? value : undefined;
};

/** Returns a nested object; empty if absent. */
export const fieldsOf = (value: unknown, ...path: readonly string[]): Fields => {
  let fields = isPlainObject(value) ? value : {};
  for (const step of path) {
    const next = fields[step];
    fields = isPlainObject(next) ? next : {};
  }
  return fields;
};
