// What the tests of the packed library share: running commands, and stating what must hold.
import { spawn, spawnSync } from 'node:child_process';

const env = { ...process.env, CI: 'true', FORCE_COLOR: '0', npm_config_prefer_offline: 'true' };

function reportOf(command, args, cwd, { code, output, begin }, fails) {
  console.log(`${command} ${args.join(' ')}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  if ((code !== 0) !== fails) throw new Error(`${command} ${args.join(' ')} in ${cwd} ended with ${code}\n${output}`);
  return output;
}

/** Runs a command and returns its output; throws unless it fails or succeeds as expected. */
export function run(command, args, { cwd, fails = false, variables = {} } = {}) {
  const begin = Date.now();
  const done = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...env, ...variables },
  });
  if (done.error) throw done.error;
  return reportOf(command, args, cwd, { code: done.status, output: done.stdout + done.stderr, begin }, fails);
}

/** Runs a command like `run`, beside others. */
export const runBeside = (command, args, { cwd, fails = false } = {}) =>
  new Promise((resolve, reject) => {
    const begin = Date.now();
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      try {
        resolve(reportOf(command, args, cwd, { code, output, begin }, fails));
      } catch (error) {
        reject(error);
      }
    });
  });

/** Throws unless something holds. */
export function expectThat(what, holds, detail = '') {
  if (!holds) throw new Error(`not so: ${what}\n${detail}`);
  console.log(`ok: ${what}`);
}
