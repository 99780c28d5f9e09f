import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configuration } from '../../../../lib/expand/profile/default-profile/configuration';

const script = Object.values(configuration.pod?.files ?? {})[0] ?? '';
let folder = '';
let local = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinion-configuration-'));
  mkdirSync(join(folder, 'pinion-source', 'configuration'), { recursive: true });
  mkdirSync(join(folder, 'pinion', 'configuration'), { recursive: true });
  local = script.replaceAll('/var/run', folder).replaceAll('/tmp/alive', join(folder, 'alive'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes files as a kubelet mounts a ConfigMap: a folder per version, swapped by one symbolic link. */
function show(version: string, files: Readonly<Record<string, string>>): void {
  const source = join(folder, 'pinion-source', 'configuration');
  mkdirSync(join(source, `..${version}`));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(source, `..${version}`, name), text);
  rmSync(join(source, '..data'), { force: true });
  symlinkSync(`..${version}`, join(source, '..data'));
}
const run = () => spawnSync('sh', ['-c', local, 'publish.sh', 'once'], { encoding: 'utf8' });
const current = (file = '') => join(folder, 'pinion', 'configuration', 'current', file);

test('the app finds an empty folder if the project has no shared configuration', () => {
  expect(run()).toMatchObject({ status: 0, stderr: '' });
  expect(readlinkSync(current().replace(/\/$/, ''))).toBe('empty');
});

test('a new version replaces the whole old one, and an empty one replaces nothing', () => {
  show('1', { 'flags.json': '{"a":1}', 'old.json': '{}' });
  expect(run()).toMatchObject({ status: 0, stderr: '' });
  show('2', { 'flags.json': '{"a":2}' });
  run();
  expect(readFileSync(current('flags.json'), 'utf8')).toBe('{"a":2}');
  expect(() => readFileSync(current('old.json'))).toThrow();
  show('3', {});
  run();
  expect(readFileSync(current('flags.json'), 'utf8')).toBe('{"a":2}');
});

test('the sidecar exits on SIGTERM at once, whatever its interval', async () => {
  show('1', { 'flags.json': '{"a":1}' });
  const child = spawn('sh', ['-c', `INTERVAL_SECONDS=5\n${local}`, 'publish.sh', 'watch'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  child.stdout.destroy();
});
