import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { waitFor } from '../control-plane/wait-for';
import { type Machine, type MachineProcess } from './machine';
import { readService, type Service } from './read-service';

/** Script that replaces systemctl on a machine and forwards its arguments to the tests. */
const systemctl = `#!/bin/bash
printf '%s\\0' "$@" | exec curl --silent --show-error --fail-with-body --max-time 900 \\
  --unix-socket /run/rehearsal/systemd --data-binary @- http://systemd/
`;

/**
 * Replaces systemd, which can run only once on the test machine.
 *
 * It runs the services in /etc/systemd/system with the command lines and the environment of their unit files, and
 * restarts them as the unit files specify. The kubelet, which would need a container runtime, timers, and units of the operating
 * system are only recorded as started.
 */
export class InitSystem {
  /** Units that were started or enabled, in order. */
  readonly started: string[] = [];
  readonly #services = new Map<string, RunningService>();
  readonly #server: Server;

  private constructor(private readonly machine: Machine) {
    this.#server = createServer((incoming, response) => {
      void readBody(incoming)
        .then((body) => this.#do(body.split('\0').filter(Boolean)))
        .then(
          (text) => response.end(text),
          (cause: unknown) => response.writeHead(500).end(`${String(cause)}\n`),
        );
    });
  }

  /** Replaces systemd on a machine. */
  static async start(machine: Machine): Promise<InitSystem> {
    const init = new InitSystem(machine);
    machine.write('/usr/bin/systemctl', systemctl, 0o755);
    await new Promise<void>((resolve, reject) => {
      init.#server.once('error', reject);
      init.#server.listen(join(machine.folder, 'shared', 'systemd'), resolve);
    });
    return init;
  }

  /** Returns whether a service was started. */
  has(unit: string): boolean {
    return this.#services.has(unit);
  }

  /** Returns the service of a unit that was started. */
  service(unit: string): RunningService {
    const found = this.#services.get(unit);
    if (!found) throw new Error(`${unit} was not started on ${this.machine.name}`);
    return found;
  }

  /** Starts a unit. */
  begin(unit: string): void {
    this.started.push(unit);
    const file = `/etc/systemd/system/${unit}`;
    if (!unit.endsWith('.service') || unit === 'kubelet.service' || !this.machine.has(file)) return;
    const service = this.#services.get(unit) ?? new RunningService(this.machine, unit);
    this.#services.set(unit, service);
    service.begin();
  }

  /** Stops restarting services; running ones keep running. */
  stop(): void {
    for (const service of this.#services.values()) service.abandon();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #do(args: readonly string[]): Promise<string> {
    const [subcommand = '', ...names] = args.filter((arg) => !arg.startsWith('-'));
    const units = names.map((name) => (/\.(service|timer)$/.test(name) ? name : `${name}.service`));
    const isWaiting = !args.includes('--no-block');
    switch (subcommand) {
      case 'daemon-reload':
      case 'try-restart':
        return '';
      case 'status':
        return `${units.join(' ')}: loaded\n`;
      case 'enable':
      case 'start':
      case 'restart':
        if (subcommand === 'enable' && !args.includes('--now')) return '';
        for (const unit of units) {
          if (subcommand === 'restart') await this.#services.get(unit)?.end();
          this.begin(unit);
          if (isWaiting) await this.#services.get(unit)?.readiness();
        }
        return '';
      case 'stop':
        for (const unit of units) await this.#services.get(unit)?.end();
        return '';
      default:
        throw new Error(`systemctl ${args.join(' ')} is not supported here`);
    }
  }
}

/** One service, and its restart policy. */
export class RunningService {
  #process: MachineProcess | undefined;
  #shouldRun = false;
  #timer: NodeJS.Timeout | undefined;
  /** Number of starts. */
  starts = 0;

  constructor(
    private readonly machine: Machine,
    private readonly unit: string,
  ) {}

  /** Process that runs now, or ran last. */
  get process(): MachineProcess {
    if (!this.#process) throw new Error(`${this.unit} was not started`);
    return this.#process;
  }

  /** Whether it exited without an error and is not restarted. */
  get hasSucceeded(): boolean {
    return !this.#shouldRun && this.#process?.ending === exitedSuccessfully;
  }

  begin(): void {
    if (this.#shouldRun && this.#process?.ending === undefined) return;
    this.#shouldRun = true;
    const read = (path: string) => (this.machine.has(path) ? this.machine.read(path) : undefined);
    const service = readService(this.machine.read(`/etc/systemd/system/${this.unit}`), read);
    const [program = '', ...args] = service.command;
    this.starts += 1;
    this.#process = this.machine.start(program, args, `${this.unit}.log`, service.environment);
    void this.#supervise(this.#process, service);
  }

  /** Waits until the service runs or, if its type is oneshot, has exited. */
  async readiness(): Promise<void> {
    const service = readService(this.machine.read(`/etc/systemd/system/${this.unit}`), () => '');
    if (service.type !== 'oneshot') return;
    await waitFor(`${this.unit} to finish`, async () => this.hasSucceeded, {
      timeout: 600_000,
    });
  }

  /** Stops the service permanently. */
  async end(): Promise<void> {
    this.abandon();
    await this.#process?.stop();
  }

  abandon(): void {
    this.#shouldRun = false;
    clearTimeout(this.#timer);
  }

  async #supervise(running: MachineProcess, service: Service): Promise<void> {
    await running.whenEnded();
    const shouldRestart =
      service.restart === 'always' || (service.restart === 'on-failure' && running.ending !== exitedSuccessfully);
    if (!this.#shouldRun || this.#process !== running) return;
    if (!shouldRestart) this.#shouldRun = false;
    else this.#timer = setTimeout(() => this.begin(), service.restartSeconds * 1000).unref();
  }
}

const exitedSuccessfully = 'ended with code 0';

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
