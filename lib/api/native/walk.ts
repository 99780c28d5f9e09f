import { type ProblemCode } from '../problem';
import { type ProblemReporter } from './overlay';
import { type TypeName } from './structure-table';

/** Supported Kubernetes versions. */
export type KubernetesVersion = '1.35' | '1.36';

/**
 * Fields of native types that are set elsewhere. With a remedy per field they are reported as `platform-owned`; fields
 * in a plain list are ignored.
 */
export type OmittedFields = { readonly [Name in TypeName]?: readonly string[] | Readonly<Record<string, string>> };

/** Options of a check. */
export interface NativeOptions {
  /** Kubernetes version; fields that it lacks are reported as `unsupported-field`. @default 1.36 */
  readonly version?: KubernetesVersion;
  /** Fields that are reported as `platform-owned`, with the remedy. */
  readonly omit?: OmittedFields;
  /**
   * Names of volumes that containers may mount although the pod does not list them: claims of a set, and volumes of the
   * platform.
   */
  readonly volumes?: readonly string[];
}

/** State of a traversal; the path is one array that is modified in place. */
export interface Walk {
  readonly path: (string | number)[];
  readonly report: ProblemReporter;
  readonly options: NativeOptions;
  /** Names of volumes that a pod gets from its enclosing object. */
  volumes: readonly string[];
}

/** Reports a problem at the current path. */
export function reportHere(walk: Walk, code: ProblemCode, reason: string, remedy: string, value?: unknown): void {
  const shown = value === undefined || typeof value === 'object' ? undefined : { value };
  walk.report({ code, path: walk.path.slice(), ...shown, reason, remedy });
}

/** Describes the type of a value, in YAML terms. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return (
    { string: 'a string', number: 'a number', boolean: 'a boolean' }[typeof value as string] ?? `a ${typeof value}`
  );
}

const remedies = new WeakMap<readonly string[], Readonly<Record<string, string>>>();

/** Returns the omitted fields of a type with their remedies; the remedy is empty if the field is ignored. */
export function omittedFields(
  omit: OmittedFields | undefined,
  type: TypeName,
): Readonly<Record<string, string>> | undefined {
  const fields = omit?.[type];
  if (fields === undefined || !isNames(fields)) return fields;
  let table = remedies.get(fields);
  if (table === undefined) remedies.set(fields, (table = Object.fromEntries(fields.map((field) => [field, '']))));
  return table;
}

const isNames = (fields: readonly string[] | Readonly<Record<string, string>>): fields is readonly string[] =>
  Array.isArray(fields);
