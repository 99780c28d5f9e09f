import { spawn, spawnSync } from 'node:child_process';
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

/** One program to build. */
export interface GoBuild {
  readonly go: string;
  readonly module: GoModule;
  readonly name: string;
  readonly title: string;
  readonly output: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
}

/** Interval at which a running build reports progress. */
const heartbeatSeconds = 20;
/** Characters of Go's output in an error. */
const outputLimit = 4_000;

/** Builds one program; throws the end of Go's output on failure. */
export function goBuild(build: GoBuild): Promise<void> {
  const { go, module, name, title, output, cwd, environment, report } = build;
  const args = ['build', ...buildFlags(module), '-o', output, module.programs[name] ?? name];
  const startedAt = performance.now();
  const seconds = (): string => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  report(`building ${title} (the first time only; it is cached)`);
  const heartbeat = setInterval(() => report(`building ${title}: ${seconds()}`), heartbeatSeconds * 1000);
  return new Promise<void>((resolve, reject) => {
    const child = spawn(go, args, {
      cwd,
      // Without cgo the programs need no C compiler and run on any libc.
      env: { ...environment, CGO_ENABLED: '0', GOWORK: 'off' },
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
