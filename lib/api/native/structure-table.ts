import { type FieldLimits, type TypeRules } from './overlay';
import { nativeRules } from './rules';
import { structureTexts } from './structures.generated';

/** Name of a native type, such as `Container`. */
export type TypeName = keyof typeof structureTexts;

/** Kind of a field; `object` is another native type. */
export type FieldKind =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'number'
  | 'int-or-string'
  | 'quantity'
  | 'time'
  | 'bytes'
  | 'any'
  | 'object'
  | 'list'
  | 'map';

/** Field of a native type, including the limits of the overlay. */
export interface Field {
  readonly kind: FieldKind;
  /** Native type of kind `object`. */
  readonly type?: TypeName;
  /** Type of a list's entries or a map's values. */
  readonly items?: Field;
  readonly required: boolean;
  /** Unique keys of list entries. */
  readonly keys?: readonly string[];
  /** Whether list entries must be distinct. */
  readonly set: boolean;
  readonly default?: string | number | boolean;
  /** Allowed values; absent if all are allowed. */
  readonly enum?: ReadonlySet<string>;
  readonly limits?: FieldLimits;
  readonly pattern?: RegExp;
  readonly keyPattern?: RegExp;
}

/** Native type with its fields and rules. */
export interface Structure {
  readonly name: TypeName;
  readonly fields: ReadonlyMap<string, Field>;
  readonly required: readonly string[];
  readonly rules?: TypeRules;
}

const known = new Map<string, Structure>();

/** Returns whether a name is that of a known native type. */
export const isTypeName = (name: string): name is TypeName => Object.hasOwn(structureTexts, name);

/** Returns the fields and rules of a native type; parsed from the generated table on first use. */
export function structureOf(name: TypeName): Structure {
  let structure = known.get(name);
  if (structure === undefined) {
    structure = readStructure(name);
    known.set(name, structure);
  }
  return structure;
}

function readStructure(name: TypeName): Structure {
  const texts: Readonly<Record<string, string>> = structureTexts[name];
  const rules: TypeRules | undefined = nativeRules[name];
  const fields = new Map<string, Field>();
  for (const [key, text] of Object.entries(texts)) {
    fields.set(key, readField(text, rules?.fields?.[key], rules?.required?.includes(key) ?? false));
  }
  const required = [...fields].filter(([, field]) => field.required).map(([key]) => key);
  return { name, fields, required, ...(rules && { rules }) };
}

const fieldText = /^([^(@!=]+)(?:\((.*)\))?(?:@([\w,]*))?(!)?(?:=(.*))?$/;

function readField(text: string, limits: FieldLimits | undefined, required: boolean): Field {
  const [, type = '', values, keys, mark, preset] = fieldText.exec(text) ?? [];
  const choice = limits?.enum ?? values?.split('|');
  const list = limits?.keys ?? (keys ? keys.split(',') : undefined);
  return {
    ...readType(type, limits, choice),
    required: mark === '!' || required,
    set: keys === '' || limits?.set === true,
    ...(list && { keys: list }),
    ...(preset !== undefined && { default: JSON.parse(preset) as string | number | boolean }),
  };
}

function readType(
  type: string,
  limits: FieldLimits | undefined,
  choice: readonly string[] | undefined,
): Pick<Field, 'kind'> & Partial<Field> {
  const bounds = {
    ...(limits && { limits }),
    ...(limits?.form && { pattern: new RegExp(limits.form.pattern) }),
    ...(limits?.keyForm && { keyPattern: new RegExp(limits.keyForm.pattern) }),
  };
  if (type.startsWith('[') || type.startsWith('{')) {
    const items = { ...readType(type.slice(1, -1), limits?.items, choice), required: false, set: false };
    return { kind: type.startsWith('[') ? 'list' : 'map', items, ...bounds };
  }
  if (isTypeName(type)) return { kind: 'object', type, ...bounds };
  return { kind: type as FieldKind, ...(choice && { enum: new Set(choice) }), ...bounds };
}
