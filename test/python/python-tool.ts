import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Timeout of the installation of Python packages, in milliseconds. */
const installTimeout = 600_000;

/** Python with packages of pinned versions, or the reason why it is unavailable. */
export type PythonTool = { readonly python: string } | { readonly skipped: string };

/**
 * Finds Python packages in the cache or installs them there atomically, which is safe for concurrent processes.
 * @param name - name of the tool, for the folder in the cache and for messages
 * @param requirements - file that pins the packages
 */
export function pythonTool(
  name: string,
  requirements: string,
  environment: NodeJS.ProcessEnv = process.env,
): PythonTool {
  const base = environment['XDG_CACHE_HOME'] || join(environment['HOME'] || homedir(), '.cache');
  const key = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(base, 'pinion', `${name}-${key}`);
  const tool = { python: join(folder, 'bin', 'python') };
  if (existsSync(tool.python)) return tool;
  mkdirSync(join(base, 'pinion'), { recursive: true });
  const stagingFolder = mkdtempSync(`${folder}-`);
  try {
    const venvError = run('python3', ['-m', 'venv', stagingFolder], environment);
    if (venvError) return { skipped: `python3 with venv is needed: ${venvError}` };
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements];
    const installError = run(join(stagingFolder, 'bin', 'python'), args, environment);
    if (installError) return { skipped: `${name} cannot be installed: ${installError}` };
    renameInto(stagingFolder, folder);
    return tool;
  } finally {
    rmSync(stagingFolder, { recursive: true, force: true });
  }
}

/** Renames the draft, unless a concurrent process installed it first. */
function renameInto(stagingFolder: string, folder: string): void {
  try {
    renameSync(stagingFolder, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'bin', 'python'))) throw error;
  }
}

/** Runs a program; returns the end of its error output if it fails, otherwise undefined. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, { env, encoding: 'utf8', timeout: installTimeout });
  if (status === 0) return undefined;
  return (error?.message ?? stderr).trim().slice(-500);
}
