import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles, testFolder, service } from './terminal';

const program = join(__dirname, '../../build/bin/pinion.js');
const pinion = (argv: readonly string[], input?: string) =>
  spawnSync(process.execPath, [program, ...argv], {
    cwd: testFolder(),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...(input !== undefined && { input }),
  });

test('the command is built', () => expect(existsSync(program)).toBe(true));

test('the built command renders standard input and prints a summary', () => {
  const { status, stdout, stderr } = pinion(['render', '-'], service('cart'));
  expect(status).toBe(0);
  expect(stdout).toContain('kind: Deployment');
  expect(stderr).toMatch(/^1 workload, \d+ objects, 0 warnings, \d\.\d\d s; platform: built-in/);
});

test('the bundle evaluates CEL, explains and prints CRDs', () => {
  writeFiles({ 'a.yaml': service('cart', 'shop', '  autoscaling: {minReplicas: 1, maxReplicas: 3, cpu: 50}\n') });
  expect(pinion(['check', 'a.yaml']).stdout).toContain('invalid-combination');
  expect(pinion(['explain', 'cart', '-'], service('cart')).stdout).toContain('# ← (stdin):5:3 spec.replicas');
  expect(pinion(['crds', 'proj']).stdout).toContain('kind: CustomResourceDefinition');
});

test.each([
  [0, ['--version']],
  [1, ['check', 'bad.yaml']],
  [2, ['check', '--frob']],
  [3, ['check', 'none.yaml']],
])('exit code %d', (code, argv) => {
  writeFiles({ 'bad.yaml': service('Bad') });
  expect(pinion(argv).status).toBe(code);
});

test('an unreachable S3 store is reported as unavailable, not as an internal error', () => {
  const argv = ['artifact', 'list', '--store', 's3://artifacts/store'];
  const env = {
    ...{ PATH: process.env['PATH'], AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL: 'http://127.0.0.1:1' },
    ...{ AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'nothing', AWS_MAX_ATTEMPTS: '1' },
  };
  const { status, stderr } = spawnSync(process.execPath, [program, ...argv], {
    cwd: testFolder(),
    encoding: 'utf8',
    env,
  });
  expect([status, stderr.includes('internal error')]).toEqual([3, false]);
  expect(stderr).toContain('s3://artifacts/store');
});

test('an empty store variable counts as unset', () => {
  const env = { PATH: process.env['PATH'], PINION_STORE: '' };
  const argv = ['artifact', 'verify', 'shop/web@1'];
  const { stderr } = spawnSync(process.execPath, [program, ...argv], { cwd: testFolder(), encoding: 'utf8', env });
  expect(stderr).toContain('.pinion/artifacts');
});

const services = (count: number): string =>
  Array.from({ length: count }, (_, index) => service(`cart-${index}`)).join('---\n');

test('a closed pipe causes no stack trace', async () => {
  const child = spawn(process.execPath, [program, 'render', '-', '-q'], { cwd: testFolder() });
  child.stdin.end(services(500));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((done) => child.on('close', done));
  expect([code, stderr]).toEqual([3, '']);
});

test('leaves no partial files when it is stopped while writing', async () => {
  writeFiles({ 'a.yaml': services(8000) });
  const child = spawn(process.execPath, [program, 'render', 'a.yaml', '--output-dir', 'out'], {
    cwd: testFolder(),
    stdio: 'ignore',
  });
  const exited = new Promise((done) => child.on('close', done));
  while (readdirSync(testFolder()).length < 2 && child.exitCode === null)
    await new Promise((done) => setTimeout(done, 5));
  child.kill('SIGTERM');
  expect(await exited).toBe(143);
  expect(readdirSync(testFolder())).toEqual(['a.yaml']);
}, 20_000);
