import { isPlainObject } from '../../api';

/** A condition of a native object. */
export interface NativeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** A number of a status; Kubernetes leaves zeros out. */
export const numberOf = (status: Fields, field: string): number => {
  const value = status[field];
  return typeof value === 'number' ? value : 0;
};

/** A text of a status. */
export const textOf = (status: Fields, field: string): string | undefined => {
  const value = status[field];
  return typeof value === 'string' ? value : undefined;
};

/** A condition of a status, whatever it says. */
export const conditionOf = (status: Fields, type: string): NativeCondition | undefined =>
  Array.isArray(status['conditions'])
    ? (status['conditions'] as readonly NativeCondition[]).find((condition) => condition.type === type)
    : undefined;

/** A condition of a status, if it is so. */
export const trueCondition = (status: Fields, type: string): NativeCondition | undefined => {
  const condition = conditionOf(status, type);
  return condition?.status === 'True' ? condition : undefined;
};

/** A field that holds fields; nothing where it is none. */
export const fieldsOf = (value: unknown, ...path: readonly string[]): Fields => {
  let fields = isPlainObject(value) ? value : {};
  for (const step of path) {
    const next = fields[step];
    fields = isPlainObject(next) ? next : {};
  }
  return fields;
};
