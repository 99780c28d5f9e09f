import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainProblem } from '../../lib/api';
import { readSettings } from '../../lib/submission/told-settings';

const folder = mkdtempSync(join(tmpdir(), 'pinion-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'submission.json');
const settings = {
  store: '/artifacts',
  clusters: [{ name: 'main' }],
  identity: { issuers: [{ issuer: 'https://login.example.com', audience: 'pinion' }] },
};
function told(content: string | object, environment: Readonly<Record<string, string>> = { PINION_PROJECT: 'here' }) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const read = readSettings({ SUBMISSION_CONFIG: file, ...environment });
  return 'problems' in read ? read.problems.map(explainProblem) : read;
}

test('settings are read from the file that is named, with what is left out', () => {
  expect(told(settings)).toMatchObject({
    namespace: 'here',
    settings: { store: '/artifacts', port: 8080, limits: { underWay: 256 } },
    identity: { issuers: [{ usernameClaim: 'sub' }] },
  });
});

test('all that is wrong in the file and the environment is said at once, with its place', () => {
  const problems = told({ ...settings, store: 'artifacts', limits: { streams: 0 }, identity: { issuers: [7] } }, {});
  expect(problems).toHaveLength(4);
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.stringContaining('PINION_PROJECT'),
      expect.stringContaining('store'),
      expect.stringContaining('limits.streams'),
      expect.stringContaining('identity.issuers[0]'),
    ]),
  );
});

test('a file that is no JSON, or not there, is told by its name', () => {
  expect(told('{"store":')).toEqual([expect.stringContaining('cannot be read as JSON')]);
  const read = readSettings({ SUBMISSION_CONFIG: join(folder, 'none'), PINION_PROJECT: 'here' });
  expect(read).toMatchObject({ problems: [{ code: 'unreadable', object: join(folder, 'none') }] });
});
