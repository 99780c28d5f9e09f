import { type ProblemCode } from '../problem';
import { type ProblemReporter } from './overlay';
import { type TypeName } from './structure-table';

/** Kubernetes versions whose structure is known. */
export type KubernetesVersion = '1.35' | '1.36';

/**
 * Fields of native types that are set elsewhere. With a remedy per field a check reports them as `platform-owned`;
 * a plain list of names is passed over in silence.
 */
export type OmittedFields = { readonly [Name in TypeName]?: readonly string[] | Readonly<Record<string, string>> };

/** What a check takes into account. */
export interface NativeOptions {
  /** A field that this version lacks is an `unsupported-field`. @default 1.36 */
  readonly version?: KubernetesVersion;
  /** Fields that are `platform-owned`, with the remedy. */
  readonly omit?: OmittedFields;
  /** Names of volumes that containers may mount although the pod does not list them: claims of a set, what the platform adds. */
  readonly volumes?: readonly string[];
}

/** One walk through a value; the path is one array that grows and shrinks. */
export interface Walk {
  readonly path: (string | number)[];
  readonly report: ProblemReporter;
  readonly options: NativeOptions;
  /** Names of volumes that a pod gets from what it stands in. */
  volumes: readonly string[];
}

/** Reports one problem at the walk's present place. */
export function reportHere(walk: Walk, code: ProblemCode, reason: string, remedy: string, value?: unknown): void {
  const shown = value === undefined || typeof value === 'object' ? undefined : { value };
  walk.report({ code, path: walk.path.slice(), ...shown, reason, remedy });
}

/** Says what a value is, in the words of YAML. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return (
    { string: 'text', number: 'a number', boolean: 'true or false' }[typeof value as string] ?? `a ${typeof value}`
  );
}

const remedies = new WeakMap<readonly string[], Readonly<Record<string, string>>>();

/** The omitted fields of a type, each with its remedy, which is empty if the field is passed over in silence. */
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
