const width = 100;
const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key));

/** Formats plain values as a TypeScript literal: on one line where it fits behind `column` characters. */
export function typescriptLiteral(value: unknown, indent = 0, column = indent): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const line = oneLine(value);
  if (column + line.length < width) return line;
  const inner = ' '.repeat(indent + 2);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((item) => typescriptLiteral(item, indent + 2))
    : Object.entries(value).map(([key, member]) => {
        const label = `${keyText(key)}: `;
        return label + typescriptLiteral(member, indent + 2, indent + 2 + label.length);
      });
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${' '.repeat(indent)}${close}`;
}

function oneLine(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const members = Object.entries(value).map(([key, member]) => `${keyText(key)}: ${oneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
