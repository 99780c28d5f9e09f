import { type Alert, type DiagnosisStep } from './alerts/alert';

const renderStep = ({ check, command }: DiagnosisStep, index: number): string =>
  `${index + 1}. Check ${check}.${command === undefined ? '' : `\n\n       ${command}\n`}`;

/** Returns the runbook of an alert, from the texts of its annotations. */
export function renderRunbook(alert: Alert): string {
  const conditions = alert.conditions.map(
    ({ severity, for: duration, expr }) =>
      `**${severity}**${duration === undefined ? '' : `, after ${duration}`}:\n\n    ${expr}\n`,
  );
  return `# ${alert.name}

## Meaning

${alert.summary} Owner: ${alert.owner}.

${conditions.join('\n')}
## Impact

${alert.impact}

## Diagnosis

${alert.diagnosis.map(renderStep).join('\n')}
## Mitigation

${alert.mitigation}
`;
}
