import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Storage } from './image-builder';
import { run } from './run';

/** Options of a container. */
export interface ContainerOptions {
  /** Program and arguments: the entry point of the image, followed by further arguments. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Files in /etc/pinion, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Exit of a container. */
export interface ContainerExit {
  readonly code: number | string;
  /** Standard output and error output. */
  readonly output: string;
}

/** Running container with a read-only root file system and without privileges. */
export interface Container {
  readonly ended: Promise<ContainerExit>;
  /** Returns whether it still runs. */
  isRunning(): boolean;
  /** Returns the contents of `/proc/PID/<file>` of its first process. */
  kernelFile(file: 'status' | 'mountinfo'): string;
  /** Sends a signal to its first process. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** Private containerd, which must run in namespaces that end with it. */
export class ContainerHost {
  private started = 0;

  private constructor(
    private readonly folder: string,
    private readonly daemon: ChildProcess,
    private readonly snapshotter: string,
  ) {}

  /** Starts containerd with its state in a folder. */
  static async start(folder: string, storage: Storage): Promise<ContainerHost> {
    mkdirSync(join(folder, 'containers'), { recursive: true });
    const config = join(folder, 'containerd.toml');
    writeFileSync(
      config,
      [
        'version = 2',
        `root = '${folder}/containerd-root'`,
        `state = '${folder}/containerd-state'`,
        `disabled_plugins = ['io.containerd.grpc.v1.cri']`,
        '[grpc]',
        `address = '${folder}/containerd.sock'`,
      ].join('\n'),
    );
    const log = openSync(join(folder, 'containerd.log'), 'a');
    const daemon = spawn('containerd', ['-c', config], { stdio: ['ignore', log, log] });
    const host = new ContainerHost(folder, daemon, storage === 'overlay' ? 'overlayfs' : 'native');
    const deadline = performance.now() + 30_000;
    while (spawnSync('ctr', host.ctr('version')).status !== 0) {
      if (performance.now() > deadline || daemon.exitCode !== null)
        throw new Error(`containerd did not start:\n${readFileSync(join(folder, 'containerd.log'), 'utf8')}`);
      await delay(50);
    }
    return host;
  }

  /** Imports every image of a folder in OCI layout. */
  import(layout: string): void {
    const archive = join(this.folder, 'images.tar');
    run('tar', ['-cf', archive, '-C', layout, '.']);
    run('ctr', this.ctr('images', 'import', '--snapshotter', this.snapshotter, archive));
  }

  /** Starts an image with the user, environment and working directory of its configuration. */
  run(image: string, { command, environment = {}, files = {} }: ContainerOptions): Container {
    const id = `container-${++this.started}`;
    const folder = join(this.folder, 'containers', id);
    mkdirSync(folder, { mode: 0o755 });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o644 });
    const pidFile = join(this.folder, 'containers', `${id}.pid`);
    const child = spawn(
      'ctr',
      this.ctr(
        ...['run', '--rm', '--read-only', '--seccomp', '--net-host', '--cgroup', '', '--pid-file', pidFile],
        ...['--snapshotter', this.snapshotter, '--mount', `type=bind,src=${folder},dst=/etc/pinion,options=rbind:ro`],
        ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        ...[image, id, ...command],
      ),
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    return new RunningContainer(child, pidFile);
  }

  /** Stops containerd; remaining processes end with the namespaces. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.daemon.once('exit', resolve));
    this.daemon.kill('SIGTERM');
    await ended;
  }

  private ctr(...args: readonly string[]): string[] {
    return ['--address', join(this.folder, 'containerd.sock'), '--namespace', 'pinion', ...args];
  }
}

class RunningContainer implements Container {
  readonly ended: Promise<ContainerExit>;
  private output = '';

  constructor(
    private readonly child: ChildProcess,
    private readonly pidFile: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => (this.output += bytes.toString()));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code: code ?? signal ?? '', output: this.output }));
    });
  }

  isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  kernelFile(file: 'status' | 'mountinfo'): string {
    return readFileSync(`/proc/${readFileSync(this.pidFile, 'utf8').trim()}/${file}`, 'utf8');
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    process.kill(Number(readFileSync(this.pidFile, 'utf8')), signal);
  }
}
