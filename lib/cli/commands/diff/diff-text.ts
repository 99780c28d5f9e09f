import { type Io } from '../../io/io';
import { fieldText, restartSummary, type DiffView, type FieldLine, type ManifestView } from './diff-view';

type Mark = FieldLine['mark'];

/** Escape codes of colors, by mark; `!` marks a restart. */
const colors: Readonly<Record<Mark | '!', number>> = { '+': 32, '-': 31, '~': 33, '!': 35 };

const marks = { created: '+', removed: '-', changed: '~' } as const;

/** Returns a comparison as text, in color on a terminal. */
export function diffText(view: DiffView, { terminal, color }: Pick<Io, 'terminal' | 'color'>): string {
  const paint = (mark: Mark | '!', text: string): string =>
    terminal.out && color ? `\u001b[${colors[mark]}m${text}\u001b[39m` : text;
  const lines = [
    view.title,
    ...view.manifests.flatMap((manifest) => manifestLines(manifest, paint)),
    ...view.notes.map((note) => `note: ${note}`),
    restartSummary(view),
  ];
  return `${lines.join('\n')}\n`;
}

function manifestLines(
  { title, change, fields, pods, objects }: ManifestView,
  paint: (mark: Mark | '!', text: string) => string,
): string[] {
  const field = (line: FieldLine): string => paint(line.mark, `${line.mark} ${fieldText(line)}`);
  return [
    paint(marks[change], `${marks[change]} ${title}`),
    ...fields.map((line) => `    ${field(line)}`),
    ...pods.flatMap(({ text, restarts, causes, fields: objectFields }) => [
      `    ${restarts ? paint('!', text) : text}`,
      ...causes.map((cause) => `      because of ${cause}`),
      ...objectFields.map((line) => `      ${field(line)}`),
    ]),
    ...(objects.length > 0 ? [`    objects: ${objects.join(', ')}`] : []),
  ];
}
