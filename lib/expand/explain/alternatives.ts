import { choicesAt, valueAt, type FieldPath, type PlatformManifest, type Workload } from '../../api';

/** Returns other valid values of a field, close enough to the current one to keep the manifest consistent. */
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
      return [similarText(value)];
    default:
      return [];
  }
}

/** Returns a string in the same format: its last digit is incremented, or a letter is appended if it has no digit. */
function similarText(text: string): string {
  const last = /\d(?=\D*$)/.exec(text);
  if (!last) return `${text}x`;
  const digit = (Number(last[0]) % 9) + 1;
  return text.slice(0, last.index) + String(digit) + text.slice(last.index + 1);
}
