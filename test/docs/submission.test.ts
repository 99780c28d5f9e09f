import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { Registry } from 'prom-client';
import * as z from 'zod';
import { safeParseManifest, type ManifestInput, type SpecInput } from '../../lib/api';
import { publicKeyText, readSigningKey } from '../../lib/artifact';
import { finalPhases, phases } from '../../lib/contract';
import { defaultPlatform } from '../../lib/expand';
import { safeParseSubmissionSettings } from '../../lib/programs';
import { limitsSchema } from '../../lib/programs/server-limits';
import { submissionSchema } from '../../lib/programs/submission-settings';
import { DeploymentMetrics } from '../../lib/submission/deployment-metrics';
import { callerOfClaims } from '../../lib/submission/identity/caller-of-claims';
import { pinion, testFolder, writeFiles } from '../cli/terminal';
import { pageText, tableOf } from './page-tables';

const page = pageText('submission.md');
const identityPage = pageText('submission-identity.md');

/** The parts of a GitHub Actions workflow that the test reads. */
interface Actions {
  readonly env: { readonly PINION_AUDIENCE: string };
  readonly jobs: Readonly<
    Record<string, { readonly environment?: string; readonly steps: readonly { readonly run?: string }[] }>
  >;
}

interface Field {
  readonly description?: string;
  readonly default?: unknown;
}

test('its table of settings has every setting with its default and description', () => {
  const { properties = {}, required = [] } = z.toJSONSchema(submissionSchema, { io: 'input' }) as {
    readonly properties?: Readonly<Record<string, Field>>;
    readonly required?: readonly string[];
  };
  const standardOf = (name: string, { default: standard }: Field): string =>
    required.includes(name) || name === 'identity'
      ? 'required'
      : standard === undefined
        ? ''
        : `\`${typeof standard === 'string' ? standard : JSON.stringify(standard)}\``;
  expect(tableOf(page, 'settings')).toEqual(
    Object.entries(properties).map(([name, field]) => [`\`${name}\``, standardOf(name, field), field.description]),
  );
});

test('its table of limits has every limit with its default and description', () => {
  const { properties = {} } = z.toJSONSchema(limitsSchema, { io: 'input' }) as {
    readonly properties?: Readonly<Record<string, Field>>;
  };
  expect(tableOf(page, 'limits')).toEqual(
    Object.entries(properties).map(([name, { description, default: standard }]) => [
      `\`${name}\``,
      `\`${JSON.stringify(standard)}\``,
      description,
    ]),
  );
});

const [shownSettings = ''] = [...page.matchAll(/^```yaml\n(artifactStore:[\s\S]*?)^```$/gm)].map(([, block]) => block);
const members = /^```yaml\n(members:[\s\S]*?)^```$/m.exec(identityPage)?.[1] ?? '';

test('its example settings are valid', () => {
  expect(safeParseSubmissionSettings(load(shownSettings)).problems).toEqual([]);
});

test('its command installs the service with these settings', async () => {
  writeFiles({ 'submission.yaml': shownSettings });
  const [, command = ''] = /^ {4}pinion (submission manifests [\s\S]*?) \| kubectl/m.exec(page) ?? [];
  const { code, out, err } = await pinion(command.replaceAll('\\\n', ' ').split(/\s+/));
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('submission-session');
});

test('its commands create a deployment key for the settings and the Platform', () => {
  const [, create = '', print = ''] = /^(openssl genpkey .*)\n(openssl pkey [^#\n]*)/m.exec(page) ?? [];
  execFileSync('sh', ['-ec', create], { cwd: testFolder() });
  const publicKey = execFileSync('sh', ['-ec', print], { cwd: testFolder(), encoding: 'utf8' });
  const key = readSigningKey(readFileSync(join(testFolder(), 'deployment-key'), 'utf8'));
  expect(key && publicKeyText(key)).toBe(publicKey);
  const spec = { ...defaultPlatform.spec, deploymentKeys: [publicKey] };
  expect(safeParseManifest({ ...defaultPlatform, spec }).problems).toEqual([]);
});

test('these settings map the example jobs to the users that its Project and the identity page list as members', () => {
  const { identity } = safeParseSubmissionSettings(load(shownSettings));
  const issuer = 'https://token.actions.githubusercontent.com';
  const settings = identity?.issuers.find((one) => one.issuer === issuer);
  if (!settings) throw new Error(`${issuer} is not shown`);
  const example = (name: string) => load(readFileSync(join(__dirname, '../../examples/publish', name), 'utf8'));
  const { env, jobs } = example('.github/workflows/deploy.yaml') as Actions;
  expect(env.PINION_AUDIENCE).toBe(settings.audience);
  const deploying = Object.values(jobs).filter(({ steps }) => steps.some(({ run }) => run?.includes('pinion deploy')));
  const names = deploying.map(({ environment }) => {
    const context = environment === undefined ? 'ref:refs/heads/main' : `environment:${environment}`;
    const [owner = ''] = settings.claims?.['repository_owner_id'] ?? [];
    const claims = { iss: issuer, sub: `repo:commerce/shop:${context}`, repository_owner_id: owner };
    return callerOfClaims(claims, settings);
  });
  const listed = (load(members) as Pick<SpecInput<'Project'>, 'members'>).members ?? [];
  expect(names).toEqual(listed.map(({ name }) => ({ caller: expect.objectContaining({ subject: name }) as unknown })));
  const project = example('project.yaml') as ManifestInput<'Project'>;
  expect(project.spec.members).toEqual(expect.arrayContaining(listed));
});

test('each identity snippet on its identity page is valid', () => {
  const blocks = [...identityPage.matchAll(/^```yaml\n((?:issuers|serviceAccounts|session):[\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(4);
  const parts = blocks.map(([, block = '']) => load(block) as { readonly issuers?: readonly object[] });
  const identity = Object.assign({}, ...parts, { issuers: parts.flatMap(({ issuers = [] }) => issuers) }) as object;
  const settings = { artifactStore: '/store', clusters: [{ name: 'prod-1' }], identity };
  expect(safeParseSubmissionSettings(settings).problems).toEqual([]);
});

test('its table of phases has every phase, and which ones are final', () => {
  expect(tableOf(page, 'phases').map(([phase, , ends]) => [phase, ends])).toEqual(
    phases.map((phase) => [`\`${phase}\``, finalPhases.includes(phase) ? 'yes' : '']),
  );
});

test('its table of metrics has every deployment metric', () => {
  const registry = new Registry();
  new DeploymentMetrics(registry, () => 0);
  const documented = tableOf(page, 'metrics').map(([name]) => name);
  expect(documented).toEqual(expect.arrayContaining(registry.getMetricsAsArray().map(({ name }) => `\`${name}\``)));
});
