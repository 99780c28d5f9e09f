import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainProblem } from '../../lib/api';
import { loadSubmissionSettings } from '../../lib/submission/load-submission-settings';

const folder = mkdtempSync(join(tmpdir(), 'pinion-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'submission.json');
const settings = {
  artifactStore: '/artifacts',
  clusters: [{ name: 'main' }],
  identity: { issuers: [{ issuer: 'https://login.example.com', audience: 'pinion' }] },
};
function load(content: string | object, environment: Readonly<Record<string, string>> = { PINION_PROJECT: 'here' }) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const result = loadSubmissionSettings({ SUBMISSION_CONFIG: file, ...environment });
  return 'problems' in result ? result.problems.map(explainProblem) : result;
}

test('settings are read from the given file, with defaults', () => {
  expect(load(settings)).toMatchObject({
    namespace: 'here',
    settings: { artifactStore: '/artifacts', port: 8080, limits: { maxInFlight: 256 } },
    identity: { issuers: [{ usernameClaim: 'sub' }] },
  });
});

test('all problems of the file and the environment are reported at once, with their paths', () => {
  const problems = load(
    { ...settings, artifactStore: 'artifacts', limits: { maxStreams: 0 }, identity: { issuers: [7] } },
    {},
  );
  expect(problems).toHaveLength(4);
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.stringContaining('PINION_PROJECT'),
      expect.stringContaining('artifactStore'),
      expect.stringContaining('limits.maxStreams'),
      expect.stringContaining('identity.issuers[0]'),
    ]),
  );
});

describe('the webhook for break-glass', () => {
  const webhookFile = join(folder, 'webhook');
  const withFile = (content: string) => {
    writeFileSync(webhookFile, content);
    return load({ ...settings, breakGlassWebhookFile: webhookFile });
  };

  test('is read from a file, or from the settings', () => {
    expect(withFile('https://hooks.example.com/T0/SECRET\n')).toMatchObject({
      webhook: 'https://hooks.example.com/T0/SECRET',
    });
    expect(load({ ...settings, breakGlassWebhook: 'https://a.example.com' })).toMatchObject({
      webhook: 'https://a.example.com',
    });
    expect(load(settings)).not.toHaveProperty('webhook');
  });

  test.each(['SECRET', 'ftp://SECRET.example.com', 'https://ben:SECRET@hooks.example.com'])(
    'is rejected without being shown if the file contains no valid URL',
    (content) => {
      const problems = withFile(content);
      expect(problems).toEqual([expect.stringContaining('breakGlassWebhookFile')]);
      expect(JSON.stringify(problems)).not.toContain('SECRET');
    },
  );

  test('is rejected if its file is missing', () => {
    expect(load({ ...settings, breakGlassWebhookFile: join(folder, 'none') })).toEqual([
      expect.stringMatching(/breakGlassWebhookFile: .*cannot be read/),
    ]);
  });
});

test('a file that is missing or not JSON is reported by its name', () => {
  expect(load('{"store":')).toEqual([expect.stringContaining('cannot be read as JSON')]);
  const result = loadSubmissionSettings({ SUBMISSION_CONFIG: join(folder, 'none'), PINION_PROJECT: 'here' });
  expect(result).toMatchObject({ problems: [{ code: 'parse-error', object: join(folder, 'none') }] });
});
