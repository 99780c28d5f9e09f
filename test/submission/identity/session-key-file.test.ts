import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemsError } from '../../../lib/api';
import { sessionKeyFile } from '../../../lib/submission/identity';
import { ManualClock } from '../../kube/manual-clock';

const folder = mkdtempSync(join(tmpdir(), 'pinion-session-keys-'));
const file = join(folder, 'keys');
afterAll(() => rmSync(folder, { recursive: true }));

const key = (): string => randomBytes(32).toString('base64');

test('keys are reloaded within a minute, and kept if the file contains none', async () => {
  const clock = new ManualClock();
  const logged: string[] = [];
  const [older, newer] = [key(), key()];
  writeFileSync(file, older);
  const keys = sessionKeyFile(file, clock, (message) => logged.push(message));
  const read = (): string[] => keys().map(({ bytes }) => Buffer.from(bytes).toString('base64'));
  expect(read()).toEqual([older]);
  writeFileSync(file, `${newer}\n${older}\n`);
  await clock.advance(60_000);
  expect(read()).toEqual([newer, older]);
  writeFileSync(file, 'planted-secret');
  await clock.advance(60_000);
  expect(read()).toEqual([newer, older]);
  rmSync(file);
  await clock.advance(60_000);
  expect(read()).toEqual([newer, older]);
  expect(logged).toEqual([expect.stringMatching(/is not a key/), expect.stringMatching(/ENOENT/)]);
  expect(logged.join()).not.toContain('planted-secret');
});

test('a service with a file without keys does not start', () => {
  const problem = (): unknown => sessionKeyFile(file, new ManualClock(), () => undefined);
  writeFileSync(file, 'planted-secret');
  expect(problem).toThrow(ProblemsError);
  expect(problem).not.toThrow(/planted-secret/);
  rmSync(file);
  expect(problem).toThrow(/ENOENT/);
});
