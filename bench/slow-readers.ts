import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Registry } from 'prom-client';
import { type LiveObject } from '../lib/kube';
import { defaultLimits } from '../lib/programs';
import { type ConfigMapState, type TargetChange } from '../lib/submission';
import { changeStream, type ChangeSources } from '../lib/submission/engine/change-stream';
import { Visibility } from '../lib/submission/engine/visibility';
import { startHttpServer } from '../lib/submission/http/start-http-server';
import { InMemoryTarget } from '../test/submission/engine/in-memory-target';
import { realClock } from '../test/kube/real-clock';
import { knownNames } from '../test/submission/http/known-names';
import { RecordingService } from '../test/submission/http/recording-service';
import { sleep } from './controller/sleep';

const project = 'shop';
/** Streams that the members of one project may hold. */
const readers = defaultLimits.maxStreamsPerProject;
const workloads = 5_000;
const rounds = 10;

/** A target whose workloads change when the benchmark says so. */
class ChangingTarget extends InMemoryTarget {
  readonly #listeners = new Set<(change: TargetChange) => void>();

  override onChange(listener: (change: TargetChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(index: number, round: number): void {
    const workload = workloadOf(index, round);
    const change: TargetChange = { type: 'workload', project, workload, gone: false };
    for (const listener of this.#listeners) listener(change);
  }
}

const workloadOf = (index: number, round: number): LiveObject =>
  ({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestService',
    metadata: { name: `service-${index}`, namespace: project, resourceVersion: `${round}`, uid: `${index}` },
    spec: { links: { runbook: `https://runbooks.example.com/${project}/service-${index}` } },
    status: {
      phase: 'Progressing',
      cause: {
        reason: 'ImagePullUnauthorized',
        message: `The registry denies access to registry.example.com/${project}/service-${index}:1.${round}.0.`,
        remedy: 'Grant the nodes access to the repository, or correct the name of the image.',
        owner: 'Team',
      },
    },
  }) as unknown as LiveObject;

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
const heapMegabytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
};

/** Minimum, initial and maximum size of the send buffer of a connection. */
const sendBuffer = (): string => readFileSync('/proc/sys/net/ipv4/tcp_wmem', 'utf8').trim().replace(/\s+/g, ' ');

/** Returns the kilobytes that the kernel holds for clients of a port, until they read. */
function unsentKilobytes(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  const fields = connections.map((line) => line.trim().split(/\s+/)).filter(([, address]) => address?.endsWith(local));
  return fields.reduce((sum, [, , , , queues]) => sum + parseInt(queues?.split(':')[0] ?? '0', 16) / 1024, 0);
}

/** Opens a stream and reads nothing from it. */
async function openSlowly(port: number, index: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.pause();
  const member = `member${Math.floor(index / defaultLimits.maxStreamsPerCaller)}`;
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(`GET /v1/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${member}-token\r\n\r\n`);
  return socket;
}

/**
 * Measures the heap of the submission service while members of one project hold all its streams and read nothing from
 * them, and each of many workloads changes several times. To measure with the send buffer of the installed service, run it as root
 * in a network namespace: `unshare -n sh -c 'ip link set lo up; sysctl -w net.ipv4.tcp_wmem="4096 16384 131072"; npm run
 * bench:slow-readers'`.
 */
async function main(): Promise<void> {
  const target = new ChangingTarget('main');
  const names = Array.from({ length: readers / defaultLimits.maxStreamsPerCaller }, (_, index) => `member${index}`);
  target.put(project, { members: names.map((name) => ({ kind: 'User', name, role: 'view' })) });
  const targets = new Map([[target.name, target]]);
  const state = { onChange: () => () => undefined } as unknown as ConfigMapState;
  const sources: ChangeSources = { state, targets, clock: realClock, visibility: new Visibility({ state, targets }) };
  const service = new RecordingService({
    changes: async (caller, { project: only }, { signal }) => changeStream(sources, caller, only, signal),
  });
  const server = await startHttpServer({
    ...{ service, identity: knownNames, clock: realClock, registry: new Registry(), host: '127.0.0.1' },
    ...{ port: 0, statusPort: 0, audit: () => undefined, log: { info: () => undefined, error: console.error } },
  });
  const sockets: Socket[] = [];
  for (let index = 0; index < readers; index++) sockets.push(await openSlowly(server.port, index));
  while (service.calls.length < readers) await sleep(20);
  const before = heapMegabytes();
  let most = 0;
  const start = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < workloads; index++) {
      target.change(index, round);
      if (index % 50 === 0) await new Promise(setImmediate);
    }
    most = Math.max(most, heapMegabytes());
  }
  const { user, system } = process.cpuUsage(start);
  const growth = most - before;
  console.log(`${readers} streams that are not read, ${workloads} workloads, each changed ${rounds} times`);
  console.log(`heap: ${before.toFixed(0)} MiB before, at most ${most.toFixed(0)} MiB`);
  console.log(`heap of a slow reader: ${((growth * 1024) / readers).toFixed(0)} KiB`);
  console.log(
    `kernel: ${(unsentKilobytes(server.port) / readers).toFixed(0)} KiB for a slow reader, with tcp_wmem ${sendBuffer()}`,
  );
  console.log(`CPU: ${((user + system) / 1000 / (rounds * workloads)).toFixed(2)} ms for a change to all streams`);
  for (const socket of sockets) socket.destroy();
  await server.stop();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
