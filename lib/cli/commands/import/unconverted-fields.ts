import { type Fields } from './fields';
import { type AddNote } from './note';
import { shownValue } from './shown-value';

/** Notes the fields of an object that no conversion knows, each with its value. */
export function noteUnconverted(fields: Fields, known: readonly string[], path: string, note: AddNote): void {
  for (const [name, value] of Object.entries(fields))
    if (!known.includes(name) && value !== undefined && value !== null)
      note(`${path}${name}`, `has no counterpart and is not carried over: ${shownValue(value, name)}`);
}
