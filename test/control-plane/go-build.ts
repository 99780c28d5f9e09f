import { spawn, spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type GoModule, buildFlags, moduleFolder, neededGo } from './go-modules';

/** The `go` command, or the reason why programs cannot be built on this machine. */
export type Go = { readonly path: string } | { readonly skipped: string };

/** Finds a `go` on PATH that is new enough for every module. */
export function findGo(environment: NodeJS.ProcessEnv, modules: readonly GoModule[]): Go {
  for (const module of modules) {
    const [major, minor] = neededGo(module);
    const versionCommand = spawnSync('go', ['version'], {
      cwd: moduleFolder(module),
      env: environment,
      encoding: 'utf8',
    });
    if (versionCommand.error)
      return { skipped: `there is no "go" on PATH; Go ${major}.${minor} or newer builds the control plane` };
    const version = /go(\d+)\.(\d+)/.exec(versionCommand.stdout);
    const isNewEnough = version && (Number(version[1]) > major || Number(version[2]) >= minor);
    if (versionCommand.status !== 0 || !isNewEnough) {
      const output = (versionCommand.stdout + versionCommand.stderr).trim();
      return { skipped: `the "go" on PATH is not Go ${major}.${minor} or newer; it says: ${output}` };
    }
  }
  return { path: 'go' };
}

/** Programs of one module to build. */
export interface GoBuild {
  readonly go: string;
  readonly module: GoModule;
  readonly names: readonly string[];
  readonly title: string;
  /** Folder that receives the programs. */
  readonly output: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
}

/** Interval at which a running build reports progress. */
const heartbeatSeconds = 20;
/** Characters of Go's output in an error. */
const outputLimit = 4_000;

/**
 * Environment of a build. Without cgo the programs need no C compiler and run on any libc. Compilers are short-lived:
 * without garbage collection below the limit, a build needs a quarter less CPU time.
 */
const buildEnvironment = { CGO_ENABLED: '0', GOWORK: 'off', GOGC: 'off', GOMEMLIMIT: '3GiB' } as const;

/** Returns the file name that `go build` gives to the program of a package. */
const fileNameOf = (goPackage: string, name: string): string =>
  goPackage === '.' ? name : basename(goPackage.replace(/\/v\d+$/, ''));

/**
 * Builds the programs of a module in one command, which compiles one program while it links another; throws the end of
 * Go's output on failure.
 */
export async function goBuild(build: GoBuild): Promise<void> {
  const { module, names, output } = build;
  const packages = names.map((name) => module.programs[name] ?? name);
  await runGo(build, ['build', ...buildFlags(module), '-o', `${output}/`, ...packages]);
  names.forEach((name, index) => {
    renameSync(join(output, fileNameOf(packages[index] ?? name, name)), join(output, name));
  });
}

/** Runs `go` and reports progress. */
function runGo({ go, title, cwd, environment, report }: GoBuild, args: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  const seconds = (): string => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  report(`building ${title} (the first time only; it is cached)`);
  const heartbeat = setInterval(() => report(`building ${title}: ${seconds()}`), heartbeatSeconds * 1000);
  return new Promise<void>((resolve, reject) => {
    const child = spawn(go, args, {
      cwd,
      env: { ...environment, ...buildEnvironment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let buildOutput = '';
    const append = (chunk: Buffer): void => {
      buildOutput = (buildOutput + chunk.toString('utf8')).slice(-outputLimit);
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`go ${args.join(' ')}\nin ${cwd} exited with ${signal ?? code}:\n${buildOutput}`));
    });
  }).finally(() => {
    clearInterval(heartbeat);
    report(`${title}: ${seconds()}`);
  });
}
