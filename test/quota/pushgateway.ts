import { type ChildProcess, spawn } from 'node:child_process';
import { findBinaries } from '../control-plane/binaries';
import { freePorts } from '../control-plane/ports';
import { waitFor } from '../control-plane/wait-for';

/** Why Pushgateway cannot be started here; undefined where it can. */
export function whyNoPushgateway(): string | undefined {
  const found = findBinaries(['pushgateway']);
  return 'skipped' in found ? found.skipped : undefined;
}

/** A Pushgateway on loopback that stores nothing on disk. */
export class Pushgateway {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Starts a Pushgateway and waits until it is ready. */
  static async start(): Promise<Pushgateway> {
    const found = findBinaries(['pushgateway']);
    if ('skipped' in found) throw new Error(found.skipped);
    const [port = 0] = await freePorts(1);
    const flags = [`--web.listen-address=127.0.0.1:${port}`];
    const child = spawn(found.paths.pushgateway, flags, { stdio: 'ignore' });
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    const gateway = new Pushgateway(`http://127.0.0.1:${port}`, child);
    await waitFor('the Pushgateway', () =>
      fetch(`${gateway.url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return gateway;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGKILL');
    await ended;
  }
}
