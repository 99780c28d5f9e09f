import { lstatSync, mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, type CommandResult } from '../control-plane/command';
import { type Guard, ServerProcess } from '../control-plane/server-process';
import { waitFor } from '../control-plane/wait-for';
import { machineInit, type PlacedProgram } from './machine-init';
import { Region } from './region';
import { programFolders } from './tools';

/** Options of a machine. */
export interface MachineOptions {
  readonly name: string;
  /** Folder of the machine, and its /var/log. */
  readonly folder: string;
  readonly logs: string;
  readonly hostName: string;
  readonly programs: readonly PlacedProgram[];
  /** Folder of the files that back volumes. */
  readonly volumes: string;
  readonly guard: Guard;
}

/** Machine with its own root file system, processes and network, which are removed together. */
export class Machine {
  readonly #processes: ServerProcess[] = [];

  private constructor(
    readonly name: string,
    readonly folder: string,
    readonly logs: string,
    private readonly init: ServerProcess,
    private readonly guard: Guard,
  ) {}

  /** Starts a machine; its network has only the loopback interface. */
  static async start({ name, folder, logs, hostName, programs, volumes, guard }: MachineOptions): Promise<Machine> {
    for (const each of [join(folder, 'disk'), join(folder, 'shared/volumes'), logs])
      mkdirSync(each, { recursive: true });
    writeFileSync(join(folder, 'init.sh'), machineInit({ folder, logs, hostName, programs, volumes }));
    const flags = ['--net', '--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child=SIGKILL'];
    const args = [...flags, 'sh', join(folder, 'init.sh')];
    const init = ServerProcess.start(name, 'unshare', args, join(logs, 'init.log'), guard, environment);
    const machine = new Machine(name, folder, logs, init, guard);
    await waitFor(`machine ${name}`, async () => {
      if (init.ending) throw new Error(`machine ${name} ${init.ending}\n${init.tail()}`);
      return existsSync(join(folder, 'shared', 'ready'));
    });
    return machine;
  }

  /** ID on this machine of a process in the network of the rehearsed machine. */
  get pid(): number {
    return this.init.pid;
  }

  /** Returns the path on this machine of a file of the rehearsed one. */
  path(file: string): string {
    return `/proc/${this.init.pid}/root${file}`;
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  has(file: string): boolean {
    // A link may point to a path that exists only on the machine.
    return lstatSync(this.path(file), { throwIfNoEntry: false }) !== undefined;
  }

  write(file: string, content: string, mode = 0o644): void {
    const folders = file.split('/').slice(0, -1).join('/');
    mkdirSync(this.path(folders), { recursive: true });
    writeFileSync(this.path(file), content, { mode });
  }

  /** Runs a program until it exits. */
  run(program: string, args: readonly string[] = [], stdin = ''): Promise<CommandResult> {
    return runCommand('nsenter', [...this.#entry(), program, ...args], stdin, environment);
  }

  /** Runs a program and returns its output. Throws if it fails. */
  async runOrThrow(program: string, ...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(program, args);
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${code}: ${stdout}${stderr}`);
    return stdout;
  }

  /** Starts a long-running program; `log` is a file in its /var/log. */
  start(program: string, args: readonly string[], log: string, variables: Readonly<Record<string, string>> = {}) {
    const file = join(this.logs, log);
    const variableArgs = Object.entries({ ...environment, ...variables }).map(([name, value]) => `${name}=${value}`);
    const words = [...this.#entry(), 'env', '-i', ...variableArgs, program, ...args];
    const process = ServerProcess.start(log, 'nsenter', words, file, this.guard);
    this.#processes.push(process);
    return new MachineProcess(process);
  }

  /** Kills the machine, as a power failure does. */
  async kill(): Promise<void> {
    await this.init.kill();
    await Promise.all(this.#processes.map((each) => each.whenEnded()));
  }

  #entry(): readonly string[] {
    const namespace = (name: string, file = name): string => `--${name}=/proc/${this.init.pid}/ns/${file}`;
    return [
      namespace('mount', 'mnt'),
      namespace('net'),
      namespace('uts'),
      namespace('ipc'),
      namespace('pid', 'pid_for_children'),
      '--',
    ];
  }
}

/** Environment of programs on a machine: the AWS endpoint, and shorter waits than on EC2. */
const environment = {
  PATH: programFolders.join(':'),
  HOME: '/root',
  LANG: 'C.UTF-8',
  PINION_PAUSE: '1',
  ...Region.environment,
};

/** A program that runs on a machine. */
export class MachineProcess {
  constructor(private readonly process: ServerProcess) {}

  /** Description of its exit; undefined while it runs. */
  get ending(): string | undefined {
    return this.process.ending;
  }

  /** Returns the end of its output. */
  tail(): string {
    return this.process.tail();
  }

  /** Returns the complete log. */
  get log(): string {
    return readFileSync(this.process.logFile, 'utf8');
  }

  /** Process ID on this machine; undefined if it does not run. */
  get pid(): number | undefined {
    const { pid } = this.process;
    try {
      const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
      return child ? Number(child) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Arguments that it was started with. */
  get words(): readonly string[] {
    return readFileSync(`/proc/${this.pid ?? 0}/cmdline`, 'utf8')
      .split('\0')
      .slice(0, -1);
  }

  /** Terminates it and waits; kills it after half a minute, as the kubelet does by default. */
  async stop(seconds = 30): Promise<void> {
    const { pid } = this;
    if (pid !== undefined) process.kill(pid, 'SIGTERM');
    const timeout = seconds * 1000;
    await waitFor('a program to exit', async () => this.ending !== undefined, { timeout }).catch(() => {
      if (this.pid !== undefined) process.kill(this.pid, 'SIGKILL');
    });
  }

  /** Waits until it has exited, without a timeout. */
  whenEnded(): Promise<void> {
    return this.process.whenEnded();
  }
}
