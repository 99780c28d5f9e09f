import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertGroups, ruleFile, runbookUrl, renderRunbook } from '../../lib/observability';
import { caseKey } from './rule-case';
import { ruleCases } from './rule-cases';

const root = join(__dirname, '..', '..');
const folder = join(root, 'docs', 'runbooks');
const alerts = alertGroups.flatMap((group) => group.alerts);

test.each(alerts.map((alert) => [alert.name, alert] as const))('the page of %s matches its alert', (name, alert) => {
  const path = join(folder, `${name}.md`);
  if (process.env['UPDATE_GOLDEN']) writeFileSync(path, renderRunbook(alert));
  expect(existsSync(path) ? readFileSync(path, 'utf8') : `no page ${path}`).toBe(renderRunbook(alert));
});

test('each page belongs to an alert', () => {
  expect(readdirSync(folder).sort()).toEqual(alerts.map(({ name }) => `${name}.md`).sort());
});

test('each alert links to its page at any base URL', () => {
  const links = (runbooks?: string) =>
    ruleFile(runbooks === undefined ? {} : { runbooks }).groups.flatMap(({ rules }) =>
      rules.flatMap(({ annotations }) => (annotations ? [annotations['runbook_url'] ?? ''] : [])),
    );
  for (const link of links()) expect(existsSync(join(root, link))).toBe(true);
  expect(links('https://runbooks.example.com')).toContain('https://runbooks.example.com/KubeAPIDown.md');
  expect(runbookUrl('KubeAPIDown')).toBe('docs/runbooks/KubeAPIDown.md');
});

test('each state of each alert has exactly one case', () => {
  const states = alerts.flatMap(({ name, conditions }) =>
    conditions.map(({ severity, labels }) => caseKey({ alert: name, severity, ...(labels && { labels }) })),
  );
  expect(ruleCases.map(caseKey).sort()).toEqual(states.sort());
});
