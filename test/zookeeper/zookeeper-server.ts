import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../control-plane/ports';
import { Guard, ServerProcess } from '../control-plane/server-process';
import { waitFor } from '../control-plane/wait-for';

/** Path of ZooKeeper in Debian's packages; its manifest names the other jars. */
const jar = '/usr/share/java/zookeeper.jar';

/** Returns why ZooKeeper cannot be started on this machine; undefined if it can. */
export function reasonWithoutZookeeper(): string | undefined {
  if (!existsSync(jar)) return `there is no ${jar}; the Debian package zookeeperd provides it`;
  return spawnSync('java', ['-version']).error ? 'there is no "java" on PATH' : undefined;
}

/** Options of a ZooKeeper server. */
export interface ZookeeperOptions {
  /** Network to run in. @default - the loopback address of this machine and a free port */
  readonly inside?: {
    readonly address: string;
    readonly port: number;
    /** Command prefix that runs a program in the network. */
    readonly command: readonly string[];
    /** Forwards a port of this machine's loopback address to a port inside. */
    forward(port: number): Promise<number>;
  };
}

/** A real standalone ZooKeeper with its own data folder. Session timeouts are between 1 and 10 seconds. */
export class ZookeeperServer {
  #process: ServerProcess | undefined;

  private constructor(
    /** Connect string for a client in its network. */
    readonly ensemble: string,
    private readonly outsidePort: number,
    private readonly folder: string,
    private readonly guard: Guard,
    private readonly command: readonly string[],
  ) {}

  /** Starts one and waits until it responds. */
  static async start({ inside }: ZookeeperOptions = {}): Promise<ZookeeperServer> {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-zookeeper-'));
    mkdirSync(join(folder, 'data'));
    const address = inside?.address ?? '127.0.0.1';
    const port = inside?.port ?? (await freePort());
    const outside = inside ? await inside.forward(port) : port;
    writeFileSync(join(folder, 'zoo.cfg'), configuration(folder, address, port));
    const ensemble = `${address}:${port}`;
    const server = new ZookeeperServer(ensemble, outside, folder, new Guard(folder), inside?.command ?? []);
    await server.restart();
    return server;
  }

  /** Connect string for a client on this machine. */
  get outside(): string {
    return `127.0.0.1:${this.outsidePort}`;
  }

  /** Restarts it on the same data after it was killed. */
  async restart(): Promise<void> {
    const flags = [
      '-Xmx96m',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    ];
    const classes = `${jar}:/usr/share/java/slf4j-simple.jar`;
    const program = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';
    const commandLine = [
      ...this.command,
      'java',
      ...flags,
      '-Dzookeeper.4lw.commands.whitelist=*',
      '-cp',
      classes,
      program,
      join(this.folder, 'zoo.cfg'),
    ];
    const [executable = '', ...args] = commandLine;
    this.#process = ServerProcess.start('zookeeper', executable, args, join(this.folder, 'log'), this.guard);
    await waitFor('ZooKeeper to serve', async () => {
      if (this.#process?.ending) throw new Error(`ZooKeeper ${this.#process.ending}\n${this.#process.tail()}`);
      if ((await this.#ask('ruok')) !== 'imok') return false;
      return (await this.#ask('srvr')).includes('Zookeeper version');
    });
  }

  /** Sends a four-letter command; empty without a response. */
  #ask(command: string): Promise<string> {
    return fourLetters(this.outsidePort, command).catch(() => '');
  }

  /** Pauses or resumes it; its sockets stay open. */
  pause(isPaused: boolean): void {
    if (!this.#process?.signal(isPaused ? 'SIGSTOP' : 'SIGCONT')) throw new Error('ZooKeeper is not running');
  }

  /** Kills it, as a power failure does. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  /** Stops it and removes its folder. */
  async stop(): Promise<void> {
    await this.#process?.stop(2_000);
    await this.guard.dismiss();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const configuration = (folder: string, address: string, port: number): string => `tickTime=500
dataDir=${join(folder, 'data')}
clientPort=${port}
clientPortAddress=${address}
admin.enableServer=false
`;

/** Sends ZooKeeper a four-letter command. */
function fourLetters(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(command));
    socket.setTimeout(2_000, () => socket.destroy(new Error('no response')));
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
  });
}

/** Returns a free port of the loopback address. */
export async function freePort(): Promise<number> {
  return (await freePorts(1))[0] ?? 0;
}
