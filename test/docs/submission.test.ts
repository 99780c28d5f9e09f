import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { Registry } from 'prom-client';
import * as z from 'zod';
import { finalPhases, phases } from '../../lib/contract';
import { examineSubmission } from '../../lib/programs';
import { submissionSchema } from '../../lib/programs/submission-settings';
import { DeploymentMetrics } from '../../lib/submission/deployment-metrics';

const page = readFileSync(join(__dirname, '../../docs/submission.md'), 'utf8');

/** Cells of the table between two marks of the page, its head apart. */
const tableOf = (mark: string): string[][] =>
  (page.split(`<!-- ${mark}:begin -->`)[1]?.split(`<!-- ${mark}:end -->`)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

interface Field {
  readonly description?: string;
  readonly default?: unknown;
}

test('its table of settings has every setting, with its default and what it means', () => {
  const { properties = {}, required = [] } = z.toJSONSchema(submissionSchema, { io: 'input' }) as {
    readonly properties?: Readonly<Record<string, Field>>;
    readonly required?: readonly string[];
  };
  const standardOf = (name: string, { default: standard }: Field): string =>
    required.includes(name) || name === 'identity'
      ? 'must be given'
      : standard === undefined
        ? ''
        : `\`${typeof standard === 'string' ? standard : JSON.stringify(standard)}\``;
  expect(tableOf('settings')).toEqual(
    Object.entries(properties).map(([name, field]) => [`\`${name}\``, standardOf(name, field), field.description]),
  );
});

test('the settings that it shows are right as they stand', () => {
  const [shown = ''] = [...page.matchAll(/^```yaml\n(store:[\s\S]*?)^```$/gm)].map(([, block]) => block);
  expect(examineSubmission(load(shown)).problems).toEqual([]);
});

test('each part of identity that it shows is right', () => {
  const blocks = [...page.matchAll(/^```yaml\n((?:issuers|serviceAccounts|session):[\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(3);
  const identity = Object.assign({}, ...blocks.map(([, block = '']) => load(block) as object)) as object;
  const settings = { store: '/store', clusters: [{ name: 'prod-1' }], identity };
  expect(examineSubmission(settings).problems).toEqual([]);
});

test('its table of phases has every phase, and which of them nothing follows', () => {
  expect(tableOf('phases').map(([phase, , ends]) => [phase, ends])).toEqual(
    phases.map((phase) => [`\`${phase}\``, finalPhases.includes(phase) ? 'yes' : '']),
  );
});

test('its table of metrics has every metric of deployments', () => {
  const registry = new Registry();
  new DeploymentMetrics(registry, () => 0);
  const told = tableOf('metrics').map(([name]) => name);
  expect(told).toEqual(expect.arrayContaining(registry.getMetricsAsArray().map(({ name }) => `\`${name}\``)));
});
