import { isPlainObject } from '../api';

/** Overrides of any part of a value. Lists are replaced completely; `undefined` removes a default. */
export type Overrides<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Overrides<T[K]> | undefined }
    : T;

/** Returns a value with overrides applied; modifies neither. */
export function applyOverrides<T>(base: T, overrides: Overrides<NoInfer<T>> | undefined): T {
  if (overrides === undefined) return base;
  if (!isPlainObject(base) || !isPlainObject(overrides)) return overrides as T;
  const mergedEntries = Object.entries(overrides).map(([key, value]): [string, unknown] => [
    key,
    value === undefined ? value : applyOverrides(base[key], value),
  ]);
  const result: Record<string, unknown> = { ...base, ...Object.fromEntries(mergedEntries) };
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined)) as T;
}
