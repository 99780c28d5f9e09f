import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const requirements = join(__dirname, 'requirements.txt');
/** Packages of Python that take long to come are not waited for longer. */
const installWithin = 600_000;

/** The Python that has schemathesis in its pinned version, or why it cannot be had. */
export type SchemathesisTool = { readonly python: string } | { readonly skipped: string };

/** Finds schemathesis in the cache, or installs it there: whole or not at all, so that two who do it at once agree. */
export function schemathesisTool(environment: NodeJS.ProcessEnv = process.env): SchemathesisTool {
  const base = environment['XDG_CACHE_HOME'] || join(environment['HOME'] || homedir(), '.cache');
  const key = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(base, 'pinion', `schemathesis-${key}`);
  const tool = { python: join(folder, 'bin', 'python') };
  if (existsSync(tool.python)) return tool;
  mkdirSync(join(base, 'pinion'), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    const made = run('python3', ['-m', 'venv', draft], environment);
    if (made) return { skipped: `python3 with venv is needed: ${made}` };
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements];
    const installed = run(join(draft, 'bin', 'python'), args, environment);
    if (installed) return { skipped: `schemathesis cannot be installed: ${installed}` };
    renameInto(draft, folder);
    return tool;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Somebody else may have been faster; theirs is as good. */
function renameInto(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'bin', 'python'))) throw error;
  }
}

/** The end of what a program said where it failed; undefined where it did not. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, { env, encoding: 'utf8', timeout: installWithin });
  if (status === 0) return undefined;
  return (error?.message ?? stderr).trim().slice(-500);
}
