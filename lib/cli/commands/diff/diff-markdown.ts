import { escapeMarkdown } from '../../output/escape-markdown';
import { fieldText, restartSummary, type DiffView, type FieldLine, type ManifestView } from './diff-view';

/** Comments on GitHub have at most 65,536 characters. */
const maxDetails = 50_000;

/** Returns a comparison as Markdown for a code review: a table of workloads, and the fields below it. */
export function diffMarkdown(view: DiffView): string {
  const { title, manifests, notes } = view;
  const parts = [`### ${escapeMarkdown(title)}`, escapeMarkdown(restartSummary(view))];
  if (manifests.length > 0) parts.push(table(manifests), details(manifests));
  if (notes.length > 0) parts.push(notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n'));
  return `${parts.join('\n\n')}\n`;
}

function table(manifests: readonly ManifestView[]): string {
  const rows = manifests.map(({ title, change, restarts, pods }) => {
    const effects = pods.map(({ text }) => escapeMarkdown(text)).join('<br>');
    const causes = [...new Set(pods.flatMap((one) => [...one.causes, ...one.fields.map(({ path }) => path)]))];
    const name = restarts ? `**${escapeMarkdown(title)}**` : escapeMarkdown(title);
    return `| ${name} | ${change} | ${effects} | ${causes.map(code).join('<br>')} |`;
  });
  return ['| Manifest | Change | Pods | Because of |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function details(manifests: readonly ManifestView[]): string {
  const lines = manifests.flatMap(({ title, fields, objects }) =>
    fields.length + objects.length === 0
      ? []
      : [
          `@@ ${title} @@`,
          ...fields.flatMap(diffLines),
          ...(objects.length > 0 ? [`  objects: ${objects.join(', ')}`] : []),
        ],
  );
  let length = 0;
  const shown = lines.filter((line) => (length += line.length + 1) <= maxDetails);
  const rest = lines.length - shown.length;
  const text = [...shown, ...(rest > 0 ? [`${rest} more lines; run pinion diff to see them`] : [])].join('\n');
  return `<details><summary>Fields</summary>\n\n~~~~~~diff\n${text}\n~~~~~~\n\n</details>`;
}

/** Returns a field in the format of diff, which shows a change as two lines. */
function diffLines({ mark, path, from, to }: FieldLine): string[] {
  if (mark !== '~' || from === undefined || to === undefined)
    return [
      `${mark === '~' ? '!' : mark} ${fieldText({ mark, path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) })}`,
    ];
  return [`- ${path}: ${from}`, `+ ${path}: ${to}`];
}

const code = (text: string): string => `<code>${escapeMarkdown(text)}</code>`;
