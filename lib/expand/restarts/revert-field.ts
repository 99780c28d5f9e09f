import { isPlainObject } from '../../api';
import { type Steps } from './field-differences';

/** Returns a copy of `after` with one field as in `before`; shares everything else. */
export function revertField(after: unknown, before: unknown, [step, ...rest]: Steps): unknown {
  if (step === undefined) return before;
  if (typeof step === 'object') return revertEntry(after, before, step.entry, rest);
  const member = revertField(memberOf(after, step), memberOf(before, step), rest);
  if (Array.isArray(after)) return after.map((entry: unknown, index) => (index === step ? member : entry));
  const { [step]: _, ...others } = (isPlainObject(after) ? after : {}) as Record<string | number, unknown>;
  return member === undefined ? others : { ...others, [step]: member };
}

/** Like `revertField`, in the entry of a list with this name, which only one of the lists may have. */
function revertEntry(after: unknown, before: unknown, name: string, rest: Steps): unknown {
  const [list, earlier] = [listOf(after), listOf(before)];
  const index = list.findIndex((entry) => nameOf(entry) === name);
  const entry = revertField(
    list[index],
    earlier.find((one) => nameOf(one) === name),
    rest,
  );
  if (entry === undefined) return list.filter((_, at) => at !== index);
  return index === -1 ? [...list, entry] : list.map((one, at) => (at === index ? entry : one));
}

const memberOf = (value: unknown, step: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const nameOf = (entry: unknown): unknown => (isPlainObject(entry) ? entry['name'] : undefined);
