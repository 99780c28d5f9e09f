import { choicesAt, valueAt, type FieldPath, type PlatformManifest, type Workload } from '../../api';

/** Other values that a field could have had, near enough to the present one that the rest still makes sense. */
export function alternatives(document: Workload | PlatformManifest, path: FieldPath): readonly unknown[] {
  const value = valueAt(document, path);
  const choices = path[0] === 'spec' ? choicesAt(document.kind, path.slice(1)) : undefined;
  if (choices) return choices.filter((choice) => choice !== value);
  switch (typeof value) {
    case 'boolean':
      return [!value];
    case 'number':
      return [value + 1];
    case 'string':
      return [nearby(value)];
    default:
      return [];
  }
}

/** A text of the same form: its last digit turned to the next one, or a letter more where it has none. */
function nearby(text: string): string {
  const last = /\d(?=\D*$)/.exec(text);
  if (!last) return `${text}x`;
  const digit = (Number(last[0]) % 9) + 1;
  return text.slice(0, last.index) + String(digit) + text.slice(last.index + 1);
}
