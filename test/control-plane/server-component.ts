import { type Guard, ServerProcess } from './server-process';
import { waitFor } from './wait-for';

/** Specification of a control plane server, for its first start and every restart. */
export interface ServerComponentSpec {
  readonly name: string;
  readonly program: string;
  /** Returns its flags, given the number of restarts. */
  readonly args: (restarts: number) => readonly string[];
  /** Environment variables besides the inherited ones. @default - none */
  readonly environment?: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Returns whether it is ready. */
  readonly isReady: () => Promise<boolean>;
}

/** Grace period in milliseconds: on shutdown an API server waits for its watches, which a restart does not have to. */
const restartGrace = 2_000;

/** A server that tests may kill, pause and restart; ports and data stay the same. */
export class ServerComponent {
  #server: ServerProcess;
  #restarts = 0;
  #isMeantToRun = true;

  /** Starts the server. */
  constructor(
    private readonly definition: ServerComponentSpec,
    private readonly guard: Guard,
  ) {
    this.#server = this.#start();
  }

  /** Its name, such as `kube-apiserver`. */
  get name(): string {
    return this.definition.name;
  }

  /** Id of its current process, or of the last one. */
  get pid(): number {
    return this.#server.pid;
  }

  /** Whether it should run: false after a test has killed, stopped or paused it, but true after a crash. */
  get isMeantToRun(): boolean {
    return this.#isMeantToRun;
  }

  /** Description of its exit; undefined while it runs. */
  get ending(): string | undefined {
    return this.#server.ending;
  }

  /** Returns the end of its output. */
  tail(): string {
    return this.#server.tail();
  }

  /** Kills it with SIGKILL and waits until it has exited. */
  async kill(): Promise<void> {
    this.#isMeantToRun = false;
    await this.#server.kill();
  }

  /** Pauses it (SIGSTOP): its connections stay open and silent. */
  pause(): void {
    this.#isMeantToRun = false;
    this.#server.signal('SIGSTOP');
  }

  /** Resumes a paused server. */
  resume(): void {
    this.#server.signal('SIGCONT');
    this.#isMeantToRun = true;
  }

  /** Terminates it and waits; kills it after the grace period in milliseconds. */
  async stop(grace?: number): Promise<void> {
    this.#isMeantToRun = false;
    await this.#server.stop(grace);
  }

  /** Restarts it on the same ports and data, stops it first if it still runs, and waits until it is ready. */
  async restart(): Promise<void> {
    await this.stop(restartGrace);
    this.#restarts += 1;
    this.#server = this.#start();
    await this.ready();
  }

  /** Waits until it is ready; throws the end of its log if it exits instead. */
  async ready(timeout = 60_000): Promise<void> {
    const isReady = async (): Promise<boolean> => {
      if (this.ending !== undefined) throw new Error(`${this.name} ${this.ending}\n${this.tail()}`);
      return this.definition.isReady().catch(() => false);
    };
    await waitFor(`${this.name} to be ready`, isReady, { timeout, interval: 50 });
  }

  #start(): ServerProcess {
    const { name, program, args, logFile, environment } = this.definition;
    this.#isMeantToRun = true;
    return ServerProcess.start(name, program, args(this.#restarts), logFile, this.guard, environment);
  }
}
