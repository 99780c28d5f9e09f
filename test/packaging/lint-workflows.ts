import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepareBinaries } from '../control-plane/binaries';

const root = join(__dirname, '../..');

/** Checks .github/workflows with actionlint, which Go builds once; without Go it prints the reason and succeeds. */
async function lintWorkflows(): Promise<void> {
  const built = await prepareBinaries(['actionlint'], { report: (line) => process.stderr.write(`${line}\n`) });
  if ('skipped' in built) return void process.stderr.write(`workflows not checked: ${built.skipped}\n`);
  // Without these optional programs the results are the same on every machine.
  const args = ['-shellcheck=', '-pyflakes='];
  const done = spawnSync(built.paths.actionlint, args, { cwd: root, stdio: 'inherit' });
  process.exitCode = done.status ?? 1;
}

void lintWorkflows();
