// Runs the end-to-end tests: node scripts/e2e.mjs [--full [--again]] [--cluster=KUBECONFIG] [ARGUMENT OF JEST…]
// --full adds the long and random suites and, without other arguments, first runs the property tests of the unit suites
// with a new seed. Each suite is then a part: one that passed on this commit does not run again, unless --again is set.
// --cluster runs the suites that do not kill servers on an existing cluster.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAllParts } from './e2e-parts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const given = process.argv.slice(2);
const flag = '--cluster=';
const cluster = given.find((argument) => argument.startsWith(flag))?.slice(flag.length);
const kubeconfig = cluster === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), cluster);
if (given.includes('--cluster') || (kubeconfig !== undefined && !existsSync(kubeconfig))) {
  process.stderr.write(
    `--cluster=${cluster ?? ''}: no such file; use the path of a kubeconfig, such as --cluster=$HOME/.kube/config\n`,
  );
  process.exit(2);
}
const isFull = given.includes('--full');
const rest = given.filter((argument) => !['--full', '--again'].includes(argument) && !argument.startsWith(flag));
const env = {
  ...process.env,
  ...(isFull && { PINION_E2E: 'full' }),
  ...(kubeconfig !== undefined && { PINION_E2E_CLUSTER: kubeconfig }),
};
const jest = (args, { env: more, ...options } = {}) =>
  spawnSync(process.execPath, [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...args], {
    cwd: root,
    env: { ...env, ...more },
    stdio: 'inherit',
    ...options,
  });

if (isFull && rest.length === 0 && kubeconfig === undefined)
  process.exitCode = runAllParts({ root, jest, again: given.includes('--again') });
else process.exitCode = jest(['-c', 'test/e2e/jest.config.mjs', ...rest]).status ?? 1;
