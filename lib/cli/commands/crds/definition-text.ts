import { type DefinitionFinding } from '../../../definitions';
import { classText, reportSummary, shownFindings, type DefinitionReport } from './definition-report';

/** Returns a report as text. */
export function definitionText(report: DefinitionReport, all: boolean): string {
  const lines: string[] = [];
  let definition = '';
  for (const finding of shownFindings(report, all)) {
    if (finding.definition !== definition) lines.push((definition = finding.definition));
    lines.push(...findingLines(finding));
  }
  return `${[report.title, ...lines, reportSummary(report)].join('\n')}\n`;
}

function findingLines({ class: one, path, version, reason, remedy, objects = [], acknowledged }: DefinitionFinding): string[] {
  const place = [version, path].filter((part) => part !== undefined && part !== '').join(' ');
  const label = acknowledged === true ? `${one}, acknowledged` : one;
  return [
    `  ${label}: ${place}${place === '' ? '' : ': '}${reason}`,
    ...(remedy === 'none' ? [] : [`    remedy: ${remedy}`]),
    ...(objects.length > 0 ? [`    objects: ${objects.join(', ')}`] : []),
  ];
}

const escaped = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#&@~]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Comments on GitHub have at most 65,536 characters. */
const maxRows = 200;

/** Returns a report as Markdown for a code review. */
export function definitionMarkdown(report: DefinitionReport, all: boolean): string {
  const shown = shownFindings(report, all);
  const rows = shown.slice(0, maxRows).map(({ definition, version, path, class: one, reason, remedy, objects = [], acknowledged }) => {
    const place = [definition, version, path].filter((part) => part !== undefined && part !== '').join(' ');
    const text = [reason, ...(objects.length > 0 ? [`Objects: ${objects.join(', ')}`] : [])].map(escaped).join('<br>');
    return `| ${classText[one]}${acknowledged === true ? ' (acknowledged)' : ''} | <code>${escaped(place)}</code> | ${text} | ${escaped(remedy)} |`;
  });
  const table = rows.length === 0 ? [] : [['| Class | Field | Reason | Remedy |', '| --- | --- | --- | --- |', ...rows].join('\n')];
  const rest = shown.length - rows.length;
  const more = rest > 0 ? [`${rest} more; run pinion crds check to see them`] : [];
  return `${[`### Definitions: ${escaped(report.title)}`, escaped(reportSummary(report)), ...table, ...more].join('\n\n')}\n`;
}
