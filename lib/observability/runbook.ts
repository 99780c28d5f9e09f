import { type Alert, type Check } from './alert';

const check = ({ look, command }: Check, index: number): string =>
  `${index + 1}. ${look[0]?.toUpperCase()}${look.slice(1)}.${command === undefined ? '' : `\n\n       ${command}\n`}`;

/** The page of an alert in docs/runbooks, made of the same words as its annotations. */
export function runbookPage(alert: Alert): string {
  const states = alert.when.map(
    ({ severity, for: wait, expr }) =>
      `**${severity}**${wait === undefined ? '' : `, after ${wait}`}:\n\n    ${expr}\n`,
  );
  return `# ${alert.name}

${alert.summary} Owner: ${alert.owner}.

## What it means

${alert.means}

## Look first

${alert.checks.map(check).join('\n')}
## Mend

${alert.mend}

## When it fires

${states.join('\n')}`;
}
