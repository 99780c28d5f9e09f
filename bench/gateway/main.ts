/**
 * Reads of 5,000 pods through the gateway beside the same reads at the API server, both from their caches (version 0),
 * without compression, over TLS: rate, CPU time of the server for each read, and latencies.
 * Then the memory of the shipped program by object and by watch; with the argument `memory`, only that.
 * Prints ratios; the clients of both run in this process. For its CPU the gateway adds nothing to that of the API server.
 */
import { controlPlanePrograms, findBinaries } from '../../test/control-plane/binaries';
import { type ControlPlane } from '../../test/control-plane/control-plane';
import { startControlPlane } from '../../test/control-plane/start-control-plane';
import { audience, directReader, gatewayToken } from '../../test/e2e/gateway/test-gateway';
import { WatchRecorder } from '../../test/e2e/gateway/watch-recorder';
import { TestAuthority } from '../../test/kube/certificates';
import { sleep } from '../controller/sleep';
import { processorTime } from '../processor-time';
import { ratio } from '../ratio';
import { startGatewayProcess } from './gateway-process';
import { load, type LoadResult, type Target } from './load';
import { measureMemory } from './memory';
import { createPods, grantReads } from './pods';

const pods = 5_000;
const watchers = 200;

interface Measured extends LoadResult {
  /** CPU milliseconds of the server for each read. */
  readonly cpu: number;
}

async function measure(pid: number, target: Target, path: string, count: number): Promise<Measured> {
  await load(target, path, 8, 8);
  const before = processorTime(pid);
  const result = await load(target, path, count, 8);
  return { ...result, cpu: ((processorTime(pid) - before) * 1000) / count };
}

/** Opens watches at a server and changes pods: CPU time of the server, and of the gateway if it is another process. */
async function fanOut(controlPlane: ControlPlane, target: Target, pids: readonly number[]): Promise<number[]> {
  const open: WatchRecorder[] = [];
  for (let index = 0; index < watchers; index++)
    open.push(await WatchRecorder.start(target, '/api/v1/pods?watch=true&resourceVersion=0&labelSelector=watched'));
  const before = pids.map(processorTime);
  const changes = 500;
  for (let index = 0; index < changes; index++) {
    const body = { metadata: { labels: { watched: '', change: `${index}` } } };
    const path = `/api/v1/namespaces/default/pods/pod-${index % 20}`;
    await controlPlane.client.request('PATCH', path, body, { contentType: 'application/merge-patch+json' });
  }
  const isDone = (): boolean => open.every(({ changes: { length } }) => length >= changes);
  for (let waited = 0; !isDone() && waited < 30_000; waited += 50) await sleep(50);
  if (!isDone()) throw new Error('a watch has missed events');
  const spent = pids.map((pid, index) => processorTime(pid) - (before[index] ?? 0));
  for (const watch of open) watch.stop();
  for (let index = 0; index < 20; index++) {
    const body = { metadata: { labels: { watched: null } } };
    const path = `/api/v1/namespaces/default/pods/pod-${index}`;
    await controlPlane.client.request('PATCH', path, body, { contentType: 'application/merge-patch+json' });
  }
  return spent;
}

const reads = [
  { name: 'list-all', path: '/api/v1/pods?resourceVersion=0', count: 40, rate: 5, cpu: 6 },
  {
    name: 'list-by-label',
    path: '/api/v1/pods?resourceVersion=0&labelSelector=app%3Dapp-7',
    count: 400,
    rate: 1,
    cpu: 3,
  },
  {
    name: 'list-by-node',
    path: '/api/v1/pods?resourceVersion=0&fieldSelector=spec.nodeName%3Dnode-7',
    count: 800,
    rate: 1,
    cpu: 1,
  },
  { name: 'get', path: '/api/v1/namespaces/default/pods/pod-77?resourceVersion=0', count: 4_000, rate: 2, cpu: 1 },
] as const;

/** Compares reads and watches through a gateway with those at the API server. */
async function compareReads(controlPlane: ControlPlane, authority: TestAuthority): Promise<void> {
  const { certificate, key } = authority.certify('localhost');
  const token = await gatewayToken(controlPlane, 'reader');
  const gateway = await startGatewayProcess({ kubeconfig: controlPlane.kubeconfig, audience, certificate, key });
  const server = controlPlane.part('kube-apiserver').pid;
  const direct = await directReader(controlPlane, 'reader');
  const through: Target = { url: `https://localhost:${gateway.port}`, authority: authority.certificate, token };
  await load(through, reads[0].path, 1, 1);
  for (const { name, path, count, rate, cpu } of reads) {
    const theirs = await measure(server, direct, path, count);
    const ours = await measure(gateway.pid, through, path, count);
    for (const [who, { rate: perSecond, cpu: spent, p50, p99 }] of Object.entries({ server: theirs, gateway: ours }))
      console.log(
        `${name} ${who}: ${perSecond.toFixed(1)}/s, ${spent.toFixed(1)} ms CPU, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
      );
    ratio(`${name}-rate`, ours.rate / theirs.rate, '>=', rate);
    ratio(`${name}-cpu`, theirs.cpu / ours.cpu, '>=', cpu);
  }
  const [alone = 0] = await fanOut(controlPlane, direct, [server]);
  const [behind = 0, own = 0] = await fanOut(controlPlane, through, [server, gateway.pid]);
  console.log(
    `${watchers} watches: API server ${alone.toFixed(2)} s CPU alone, ${behind.toFixed(2)} s behind the gateway, gateway ${own.toFixed(2)} s`,
  );
  ratio('watches-total-cpu', (behind + own) / alone, '<=', 1);
  gateway.stop();
}

async function main(): Promise<void> {
  const binaries = findBinaries(controlPlanePrograms);
  if ('skipped' in binaries) throw new Error(binaries.skipped);
  const controlPlane = await startControlPlane({ paths: binaries.paths });
  const authority = new TestAuthority();
  try {
    await createPods(controlPlane, 0, pods);
    await grantReads(controlPlane);
    if (!process.argv.includes('memory')) await compareReads(controlPlane, authority);
    await measureMemory(controlPlane, authority, pods);
  } finally {
    await controlPlane.stop();
  }
}

void main();
