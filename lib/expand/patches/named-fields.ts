import { isPlainObject, type FieldPath, type Workload } from '../../api';
import { parsePointer } from './parse-pointer';

/** Patch of generated objects. */
export type Patch = NonNullable<Workload['spec']['patches']>[number];

/** Field of generated objects that a patch names. */
export interface NamedField {
  readonly field: FieldPath;
  /** Location in the patch. */
  readonly path: FieldPath;
}

/** Lists the fields that a patch changes according to its own text; `test` operations change none. */
export const namedFields = ({ merge, operations = [] }: Patch): NamedField[] => [
  ...operations.flatMap(({ op, path }, index) =>
    op === 'test' ? [] : [{ field: parsePointer(path), path: ['operations', index, 'path'] }],
  ),
  ...(merge ? leavesOf(merge).map((field) => ({ field, path: ['merge', ...field] })) : []),
];

const leavesOf = (value: unknown, field: FieldPath = []): FieldPath[] =>
  isPlainObject(value) ? Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...field, key])) : [field];
