import { type ControlPlane } from '../../test/control-plane/control-plane';
import { audience, gatewayToken, read } from '../../test/e2e/gateway/test-gateway';
import { WatchRecorder } from '../../test/e2e/gateway/watch-recorder';
import { type TestAuthority } from '../../test/kube/certificates';
import { ratio } from '../ratio';
import { createPods } from './pods';
import { type ShippedGateway, startShippedGateway } from './shipped-gateway';

const allPods = 35_000;
/** Open watches of both measurements: the first ones also fill what the process keeps for later ones. */
const watches = [200, 1_000] as const;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/**
 * Measures the resident memory of the shipped gateway, started with some pods and with 35,000, and with few and many open
 * watches. The difference of two sizes is that of the objects, or of the watches, themselves.
 */
export async function measureMemory(controlPlane: ControlPlane, authority: TestAuthority, pods: number): Promise<void> {
  const start = (): Promise<ShippedGateway> =>
    startShippedGateway(controlPlane.kubeconfig, audience, authority.certify('localhost'));
  const few = await start();
  const small = await few.settledMemory();
  console.log(`${pods} pods: ${megabytes(small)}, peak ${megabytes(few.peakMemory())}`);
  try {
    const [some, many] = await memoryWithWatches(controlPlane, authority, few);
    console.log(`${watches[1]} open watches: ${megabytes(many)}`);
    console.log(`each watch, over TLS: ${((many - some) / (watches[1] - watches[0]) / 1e3).toFixed(0)} kB`);
  } finally {
    await few.stop();
  }
  await createPods(controlPlane, pods, allPods - pods);
  const gateway = await start();
  try {
    const large = await gateway.settledMemory();
    const perPod = (large - small) / (allPods - pods);
    console.log(`${allPods} pods: ${megabytes(large)}, peak ${megabytes(gateway.peakMemory())}`);
    console.log(`each pod: ${(perPod / 1e3).toFixed(1)} kB, with ${await jsonSize(controlPlane)} bytes of JSON`);
    ratio('memory-all-pods-gb', large / 1e9, '<=', 1);
    ratio('memory-peak-gb', gateway.peakMemory() / 1e9, '<=', 1);
  } finally {
    await gateway.stop();
  }
}

/** Opens watches from the current version, each of which has sent an event; returns the memory with both numbers of them. */
async function memoryWithWatches(
  controlPlane: ControlPlane,
  authority: TestAuthority,
  gateway: ShippedGateway,
): Promise<readonly [number, number]> {
  const token = await gatewayToken(controlPlane, 'reader');
  const target = { url: `https://localhost:${gateway.port}`, authority: authority.certificate, token };
  const path = '/api/v1/namespaces/default/pods/pod-0';
  const { body } = await read(`${target.url}${path}?resourceVersion=0`, target.authority, token);
  const { resourceVersion } = (body as { readonly metadata: { readonly resourceVersion: string } }).metadata;
  const query = `watch=true&resourceVersion=${resourceVersion}&fieldSelector=metadata.name%3Dpod-0`;
  const open: WatchRecorder[] = [];
  const memoryWith = async (count: number): Promise<number> => {
    while (open.length < count) open.push(await WatchRecorder.start(target, `/api/v1/pods?${query}`));
    const change = { metadata: { labels: { watched: `by-${count}` } } };
    await controlPlane.client.request('PATCH', path, change, { contentType: 'application/merge-patch+json' });
    return gateway.settledMemory();
  };
  const some = await memoryWith(watches[0]);
  const many = await memoryWith(watches[1]);
  const quiet = open.filter(({ changes: { length } }) => length === 0).length;
  for (const watch of open) watch.stop();
  if (quiet > 0) throw new Error(`${quiet} watches have missed an event`);
  return [some, many];
}

/** Returns the size of a pod as the API server sends it. */
async function jsonSize({ client }: ControlPlane): Promise<number> {
  const { body } = await client.request('GET', '/api/v1/namespaces/default/pods/pod-0');
  return JSON.stringify(body).length;
}
