import { type Guard, ServerProcess } from './server-process';
import { waitFor } from './wait-for';

/** One server of a control plane, as it starts the first time and every time after. */
export interface PartDefinition {
  readonly name: string;
  readonly program: string;
  /** Its flags; told how often it was started before. */
  readonly args: (restarts: number) => readonly string[];
  /** What it finds in its environment besides our own. @default - nothing */
  readonly environment?: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** True once it does its work. */
  readonly answers: () => Promise<boolean>;
}

/** An API server that is asked to end waits for its watches; who restarts it does not want to, in milliseconds. */
const restartGrace = 2_000;

/** A server that tests may kill, pause and start again; ports and data stay the same. */
export class Part {
  #server: ServerProcess;
  #restarts = 0;
  #isMeantToRun = true;

  /** Starts the server. */
  constructor(
    private readonly definition: PartDefinition,
    private readonly guard: Guard,
  ) {
    this.#server = this.#start();
  }

  /** Its name, `kube-apiserver`. */
  get name(): string {
    return this.definition.name;
  }

  /** Id of its present process, or of the last one. */
  get pid(): number {
    return this.#server.pid;
  }

  /** False once a test has killed, stopped or paused it; one that ended by itself is still meant to run. */
  get isMeantToRun(): boolean {
    return this.#isMeantToRun;
  }

  /** How it ended, as words; undefined while it runs. */
  get ending(): string | undefined {
    return this.#server.ending;
  }

  /** The end of what it wrote. */
  tail(): string {
    return this.#server.tail();
  }

  /** Ends it as `kill -9` does, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#isMeantToRun = false;
    await this.#server.kill();
  }

  /** Stops it where it stands (SIGSTOP): its connections stay open and silent. */
  pause(): void {
    this.#isMeantToRun = false;
    this.#server.signal('SIGSTOP');
  }

  /** Lets a paused one go on. */
  resume(): void {
    this.#server.signal('SIGCONT');
    this.#isMeantToRun = true;
  }

  /** Asks it to end and waits; after the grace period, in milliseconds, it is killed. */
  async stop(grace?: number): Promise<void> {
    this.#isMeantToRun = false;
    await this.#server.stop(grace);
  }

  /** Starts it again on the same ports and data, ending it first where it still runs, and waits until it answers. */
  async restart(): Promise<void> {
    await this.stop(restartGrace);
    this.#restarts += 1;
    this.#server = this.#start();
    await this.ready();
  }

  /** Waits until it does its work; throws with the end of its log where it ended instead. */
  async ready(timeout = 60_000): Promise<void> {
    const isReady = async (): Promise<boolean> => {
      if (this.ending !== undefined) throw new Error(`${this.name} ${this.ending}\n${this.tail()}`);
      return this.definition.answers().catch(() => false);
    };
    await waitFor(`${this.name} to be ready`, isReady, { timeout, interval: 50 });
  }

  #start(): ServerProcess {
    const { name, program, args, logFile, environment } = this.definition;
    this.#isMeantToRun = true;
    return ServerProcess.start(name, program, args(this.#restarts), logFile, this.guard, environment);
  }
}
