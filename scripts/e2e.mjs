// Runs the end-to-end tests: node scripts/e2e.mjs [--full] [--cluster=KUBECONFIG] [ARGUMENT OF JEST…]
// --full adds the long and random parts; --cluster runs what needs no kills on a cluster of one's own instead of starting one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
const done = spawnSync(process.execPath, [jest, '-c', 'test/e2e/jest.config.mjs', ...rest], {
  cwd: root,
  env,
  stdio: 'inherit',
});
process.exit(done.status ?? 1);
