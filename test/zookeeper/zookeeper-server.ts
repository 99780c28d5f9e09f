import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Guard, ServerProcess } from '../control-plane/server-process';
import { waitFor } from '../control-plane/wait-for';

/** Where Debian's packages put ZooKeeper; its manifest names the other jars. */
const jar = '/usr/share/java/zookeeper.jar';

/** Why no ZooKeeper can be started on this machine; undefined where one can. */
export function reasonWithoutZookeeper(): string | undefined {
  if (!existsSync(jar)) return `there is no ${jar}; the Debian package zookeeperd brings it`;
  return spawnSync('java', ['-version']).error ? 'there is no "java" on PATH' : undefined;
}

/** How a ZooKeeper of the tests starts. */
export interface ZookeeperOptions {
  /** Address to listen on. @default 127.0.0.1 */
  readonly address?: string;
}

/** A real ZooKeeper, alone in its ensemble, with its own data folder. Sessions last from 1 to 10 seconds. */
export class ZookeeperServer {
  #process: ServerProcess | undefined;

  private constructor(
    readonly address: string,
    readonly port: number,
    readonly folder: string,
    private readonly guard: Guard,
  ) {}

  /** Starts one on a free port and waits until it answers. */
  static async start({ address = '127.0.0.1' }: ZookeeperOptions = {}): Promise<ZookeeperServer> {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-zookeeper-'));
    mkdirSync(join(folder, 'data'));
    const server = new ZookeeperServer(address, await freePort(address), folder, new Guard(folder));
    writeFileSync(join(folder, 'zoo.cfg'), configuration(server));
    await server.restart();
    return server;
  }

  /** What a client connects to. */
  get ensemble(): string {
    return `${this.address}:${this.port}`;
  }

  /** Starts it again on the same data after it was killed. */
  async restart(): Promise<void> {
    const flags = [
      '-Xmx96m',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    ];
    const classes = `${jar}:/usr/share/java/slf4j-simple.jar`;
    const program = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';
    const args = [
      ...flags,
      '-Dzookeeper.4lw.commands.whitelist=*',
      '-cp',
      classes,
      program,
      join(this.folder, 'zoo.cfg'),
    ];
    this.#process = ServerProcess.start('zookeeper', 'java', args, join(this.folder, 'log'), this.guard);
    const { address, port } = this;
    await waitFor('ZooKeeper to serve', async () => {
      if (this.#process?.ending) throw new Error(`ZooKeeper ${this.#process.ending}\n${this.#process.tail()}`);
      return (await fourLetters(address, port, 'ruok').catch(() => '')) === 'imok' && this.#isServing();
    });
  }

  async #isServing(): Promise<boolean> {
    return !(await fourLetters(this.address, this.port, 'srvr')).includes('not currently serving');
  }

  /** Pauses it, or lets it go on; its sockets stay open all the while. */
  pause(isPaused: boolean): void {
    if (!this.#process?.signal(isPaused ? 'SIGSTOP' : 'SIGCONT')) throw new Error('ZooKeeper does not run');
  }

  /** Ends it at once, as a power cut does. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  /** Ends it and removes its folder. */
  async stop(): Promise<void> {
    await this.#process?.stop(2_000);
    await this.guard.dismiss();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const configuration = ({ folder, address, port }: ZookeeperServer): string => `tickTime=500
dataDir=${join(folder, 'data')}
clientPort=${port}
clientPortAddress=${address}
admin.enableServer=false
`;

/** Asks ZooKeeper for one of its short reports. */
function fourLetters(host: string, port: number, word: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ host, port }, () => socket.write(word));
    socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
  });
}

/** A port that nobody listens on. */
export function freePort(address = '127.0.0.1'): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound ? bound.port : 0));
    });
  });
}
