import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findGo, goBuild } from './go-build';
import { type GoModule, cacheKey, findModule, goModules, moduleFolder, pinnedVersion } from './go-modules';
import { isRunning } from './server-process';

/** Paths of programs by name, or the reason why they are unavailable on this machine. */
export type Binaries<Name extends string = string> =
  { readonly paths: Readonly<Record<Name, string>> } | { readonly skipped: string };

/** Settings of the search and the build; tests pass their own environment. */
export interface BinariesOptions {
  /** PATH, XDG_CACHE_HOME, HOME and Go's variables. @default process.env */
  readonly environment?: NodeJS.ProcessEnv;
  /** Receives progress, one line at a time. @default - silent */
  readonly report?: (line: string) => void;
}

/** Programs of a control plane without controllers: etcd, the API server and kubectl. */
export const controlPlanePrograms = ['etcd', 'kube-apiserver', 'kubectl'] as const;

/** Programs of a complete cluster: controllers, a scheduler and simulated nodes besides the control plane. */
export const clusterPrograms = [...controlPlanePrograms, 'kube-controller-manager', 'kube-scheduler', 'kwok'] as const;

/** Returns the cache folder of built programs, outside the work tree. */
function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_CACHE_HOME'] || join(environment['HOME'] || homedir(), '.cache');
  return join(base, 'pinion');
}

/**
 * Finds cached programs without building any.
 * Synchronous, because tests call it while they are defined.
 */
export function findBinaries<Name extends string>(
  names: readonly Name[],
  options: BinariesOptions = {},
): Binaries<Name> {
  const environment = options.environment ?? process.env;
  const paths = Object.fromEntries(names.map((name) => [name, pathOf(name, environment)])) as Record<Name, string>;
  const missing = names.filter((name) => !isExecutable(paths[name]));
  if (missing.length === 0) return { paths };
  const go = findGo(environment, goModules);
  return { skipped: 'skipped' in go ? go.skipped : `${missing.join(', ')} not built yet; run "npm run e2e"` };
}

/**
 * Builds the programs that are not cached yet; each appears in the cache atomically.
 * Without a suitable Go it returns the reason; a failed build throws the end of Go's output.
 */
export async function prepareBinaries<Name extends string>(
  names: readonly Name[],
  options: BinariesOptions = {},
): Promise<Binaries<Name>> {
  const environment = options.environment ?? process.env;
  const found = findBinaries(names, options);
  if ('paths' in found) return found;
  const go = findGo(environment, goModules);
  if ('skipped' in go) return go;
  for (const module of goModules) {
    const missing = names.filter((name) => name in module.programs && !isExecutable(pathOf(name, environment)));
    if (missing.length > 0) await buildInto(module, missing, go.path, environment, options.report ?? (() => undefined));
  }
  return findBinaries(names, options);
}

async function buildInto(
  module: GoModule,
  names: readonly string[],
  go: string,
  environment: NodeJS.ProcessEnv,
  report: (line: string) => void,
): Promise<void> {
  const folder = join(cacheFolder(environment), cacheKey(module));
  mkdirSync(folder, { recursive: true });
  removeAbandoned(folder);
  const stagingFolder = mkdtempSync(join(folder, `building-${process.pid}-`));
  try {
    const title = `${names.join(', ')} ${pinnedVersion(module)}`;
    const cwd = moduleFolder(module);
    await goBuild({ go, module, names, output: stagingFolder, title, cwd, environment, report });
    for (const name of names) renameSync(join(stagingFolder, name), join(folder, name));
  } finally {
    rmSync(stagingFolder, { recursive: true, force: true });
  }
}

/** Removes the leftovers of killed builds: incomplete folders whose process no longer exists. */
function removeAbandoned(folder: string): void {
  for (const entry of readdirSync(folder)) {
    const pid = /^building-(\d+)-/.exec(entry)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

function pathOf(name: string, environment: NodeJS.ProcessEnv): string {
  return join(cacheFolder(environment), cacheKey(findModule(name)), name);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
