import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { EC2 } from '@aws-sdk/client-ec2';
import { runCommand } from '../control-plane/command';
import { type Guard, ServerProcess } from '../control-plane/server-process';
import { waitFor } from '../control-plane/wait-for';
import { PortForward, portForwardProgram } from '../real-node/port-forward';
import { metadataAddress, metadataServer, type Metadata } from './metadata-server';
import { programFolders } from './tools';

/** Address and port at which machines reach the emulated AWS. */
const awsAddress = '169.254.169.1';
const awsPort = 5000;

/** A subnet as seen by its router: the address of the router and the prefix length. */
export interface RoutedSubnet {
  readonly router: string;
  readonly prefix: number;
}

/**
 * Environment of the machines of a cluster, in a network namespace of its own: the routers of its subnets, an emulated
 * AWS, and the metadata service. Only `forward` makes it reachable from outside.
 */
export class Region {
  readonly ec2: EC2;
  readonly autoScaling: AutoScaling;
  readonly #metadata: Record<string, Metadata> = {};

  private constructor(
    private readonly folder: string,
    private readonly server: ServerProcess,
    private readonly relay: PortForward,
    /** Endpoint at which the tests reach the emulated AWS. */
    readonly awsUrl: string,
    name: string,
  ) {
    const credentials = { accessKeyId: 'rehearsal', secretAccessKey: 'rehearsal' };
    const options = { region: name, endpoint: awsUrl, credentials };
    this.ec2 = new EC2(options);
    this.autoScaling = new AutoScaling(options);
  }

  /** Environment variables that point machines to the emulated AWS. */
  static readonly environment = { AWS_ENDPOINT_URL: `http://${awsAddress}:${awsPort}` };

  /** Starts the region and waits until AWS responds; the guard stops it when this process exits. */
  static async start(folder: string, name: string, subnets: readonly RoutedSubnet[], guard: Guard): Promise<Region> {
    mkdirSync(join(folder, 'logs'), { recursive: true });
    writeFileSync(join(folder, 'metadata.json'), '{}');
    writeFileSync(join(folder, 'metadata-server.js'), metadataServer);
    writeFileSync(join(folder, 'relay.js'), portForwardProgram);
    const flags = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];
    const words = [...flags, 'sh', '-c', script(folder, subnets)];
    const log = join(folder, 'logs', 'region.log');
    const server = ServerProcess.start('region', 'unshare', words, log, guard, { PATH: programFolders.join(':') });
    const relay = new PortForward(join(folder, 'relay.sock'));
    const url = `http://127.0.0.1:${await relay.forward(awsAddress, awsPort)}`;
    const region = new Region(folder, server, relay, url, name);
    await waitFor(
      'the emulated AWS to respond',
      async () => {
        if (server.ending) throw new Error(`the region ${server.ending}\n${server.tail()}`);
        return responds(`${url}/moto-api/`);
      },
      { timeout: 90_000, interval: 250 },
    );
    return region;
  }

  /** Registers the machine at an address with the metadata service. */
  describe(address: string, metadata: Metadata): void {
    this.#metadata[address] = metadata;
    const path = join(this.folder, 'metadata.json');
    writeFileSync(`${path}.new`, JSON.stringify(this.#metadata));
    // Renamed into place: the service reads the file on each request and must never read a partial file.
    renameSync(`${path}.new`, path);
  }

  /**
   * Connects a machine to the router bridge with a veth pair.
   *
   * @param pid - A process in the machine's network namespace.
   */
  async plug(pid: number, link: { readonly name: string; readonly outside: string; readonly mac?: string }) {
    const { name, outside, mac } = link;
    const address = mac === undefined ? [] : ['address', mac];
    await this.#ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', name, ...address, 'netns', String(pid));
    await this.#ip('link', 'set', outside, 'master', 'routers', 'up');
  }

  /** Forwards a port of this machine's loopback address to one in the region; returns the port. */
  forward(address: string, port: number): Promise<number> {
    return this.relay.forward(address, port);
  }

  /** Stops everything in the region. */
  async stop(): Promise<void> {
    this.ec2.destroy();
    this.autoScaling.destroy();
    this.relay.close();
    await this.server.kill();
  }

  async #ip(...words: readonly string[]): Promise<void> {
    const all = [`--net=/proc/${this.server.pid}/ns/net`, 'ip', ...words];
    const { code, stderr } = await runCommand('nsenter', all, '', { PATH: programFolders.join(':') });
    if (code !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
  }
}

const script = (folder: string, subnets: readonly RoutedSubnet[]): string =>
  [
    'set -e',
    'ip link set lo up',
    `ip address add ${metadataAddress}/32 dev lo`,
    `ip address add ${awsAddress}/32 dev lo`,
    'ip link add routers type bridge',
    'ip link set routers up',
    ...subnets.map(({ router, prefix }) => `ip address add ${router}/${prefix} dev routers`),
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
    `moto_server -H 0.0.0.0 -p ${awsPort} > ${folder}/logs/moto.log 2>&1 &`,
    `${process.execPath} ${folder}/metadata-server.js ${folder}/metadata.json > ${folder}/logs/metadata.log 2>&1 &`,
    `${process.execPath} ${folder}/relay.js ${folder}/relay.sock &`,
    // Process 1 also has to reap orphans.
    'while :; do wait; sleep 1; done',
  ].join('\n');

const responds = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const clientRequest = request(url, { timeout: 2_000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    clientRequest.on('timeout', () => clientRequest.destroy(new Error('timed out')));
    clientRequest.on('error', () => resolve(false));
    clientRequest.end();
  });
