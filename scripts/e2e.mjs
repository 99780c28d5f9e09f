// Runs the end-to-end tests: node scripts/e2e.mjs [--full] [--cluster=KUBECONFIG] [ARGUMENT OF JEST…]
// --full adds the long and random parts, and, where nothing else is given, before them the properties of the other tests with cases of a new seed; --cluster runs what needs no kills on a cluster of one's own instead of starting one.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const given = process.argv.slice(2);
const flag = '--cluster=';
const cluster = given.find((argument) => argument.startsWith(flag))?.slice(flag.length);
const kubeconfig = cluster === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), cluster);
if (given.includes('--cluster') || (kubeconfig !== undefined && !existsSync(kubeconfig))) {
  process.stderr.write(
    `--cluster=${cluster ?? ''}: is no file; name the kubeconfig of the cluster, as in --cluster=$HOME/.kube/config\n`,
  );
  process.exit(2);
}
const rest = given.filter((argument) => argument !== '--full' && !argument.startsWith(flag));
const env = {
  ...process.env,
  ...(given.includes('--full') && { PINION_E2E: 'full' }),
  ...(kubeconfig !== undefined && { PINION_E2E_CLUSTER: kubeconfig }),
};
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const run = (...command) =>
  spawnSync(process.execPath, [jest, ...command], { cwd: root, env, stdio: 'inherit' }).status ?? 1;
/** All that has properties, with cases that no run has drawn before. */
const drawAnew = () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('e2e'))
    .map((file) => join('test', file))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes("from 'fast-check'"));
  return run('--runTestsByPath', ...files);
};
const isAll = given.includes('--full') && rest.length === 0 && cluster === undefined;
const codes = [...(isAll ? [drawAnew()] : []), run('-c', 'test/e2e/jest.config.mjs', ...rest)];
process.exit(codes.find((code) => code !== 0) ?? 0);
