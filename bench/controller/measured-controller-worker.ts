/** A controller that measures the CPU time and heap of its reconciles: KUBECONFIG reconciles|memory. Prints JSON. */
import { Registry } from 'prom-client';
import { Cache, ControllerMetrics } from '../../lib/controller-runtime';
import { PinionController } from '../../lib/controller/pinion-controller';
import { InformerStores } from '../../lib/controller/observed/informer-stores';
import {
  connect,
  EventRecorder,
  SharedInformerFactory,
  type KubeClient,
  loadKubeConfig,
  type SharedInformer,
} from '../../lib/kube';
import { realClock } from '../../test/kube/real-clock';
import { type Measurements, measuredControllerAgent, type Phase } from './measured-controller';

function clientFor(file: string): KubeClient {
  const rate = { qps: 1e6, burst: 1e6 };
  return connect(loadKubeConfig({ environment: {}, file }), {
    clock: realClock,
    userAgent: measuredControllerAgent,
    fieldManager: 'pinion',
    rate,
  });
}

const printError = (message: string): void => void process.stderr.write(`${message}\n`);
const silent = (): void => undefined;

interface MeasuredController {
  readonly cache: Cache;
  readonly controller: PinionController;
  readonly recorder: EventRecorder;
}

function controllerOf(client: KubeClient): MeasuredController {
  const registry = new Registry();
  const log = { debug: silent, info: silent, warn: printError, error: printError };
  const cache = new Cache({ client, clock: realClock, log, registry });
  const recorder = new EventRecorder({
    client,
    clock: realClock,
    component: 'pinion',
    instance: measuredControllerAgent,
    onError: (error) => printError(String(error)),
  });
  const controller = new PinionController({
    manager: {
      clock: realClock,
      log,
      registry,
      apiClient: client,
      cache,
      metrics: new ControllerMetrics(registry, realClock),
      isLeading: () => true,
      eventRecorderFor: () => recorder,
    },
  });
  return { cache, controller, recorder };
}

async function stop({ cache, controller, recorder }: MeasuredController): Promise<void> {
  await controller.stop();
  await recorder.stop(2_000);
  await cache.stop();
}

/** Measures the CPU time of the whole process, including garbage collection, during a function. */
async function phase(name: string, run: () => Promise<void>): Promise<Phase> {
  globalThis.gc?.();
  const startedAt = realClock.now();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { name, startedAt, endedAt: realClock.now(), cpu: (user + system) / 1000 };
}

async function reconciles(client: KubeClient): Promise<Measurements['reconciles']> {
  const phases: Phase[] = [];
  const resync = (controller: PinionController, keepCache: boolean) => async () => {
    controller.resync({ keepCache });
    await controller.idle();
  };
  // The first one includes JIT compilation.
  for (const name of ['first reconcile of a process', 'first reconcile']) {
    const measured = controllerOf(client);
    const { cache, controller } = measured;
    await cache.start();
    const lead = async (): Promise<void> => {
      controller.start();
      await controller.idle();
    };
    phases.push(await phase(name, lead));
    for (let round = 0; round < 3; round++) phases.push(await phase('resync', resync(controller, false)));
    for (let round = 0; round < 3; round++) phases.push(await phase('cached resync', resync(controller, true)));
    await stop(measured);
  }
  return { phases };
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Starts informers and returns the growth of the heap in bytes. */
async function heapGrowth(
  informers: Iterable<Pick<SharedInformer<unknown>, 'start' | 'waitForCacheSync'>>,
): Promise<number> {
  const before = heap();
  for (const informer of informers) {
    informer.start();
    await informer.waitForCacheSync();
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  return heap() - before;
}

async function memory(client: KubeClient): Promise<Measurements['memory']> {
  await client.request('GET', '/version');
  const onError = (error: unknown): void => printError(String(error));
  const factory = new SharedInformerFactory({ client, clock: realClock, onError });
  const { informers } = new InformerStores(factory);
  const children = await heapGrowth(informers.children.values());
  const pods = await heapGrowth([informers.pods]);
  const resources = await heapGrowth([...informers.resources.values(), informers.nodes, informers.failures]);
  const count = (all: Iterable<{ readonly store: { readonly size: number } }>): number =>
    [...all].reduce((sum, { store }) => sum + store.size, 0);
  const counts = {
    children: count(informers.children.values()),
    pods: informers.pods.store.size,
    resources: count(informers.resources.values()),
  };
  await factory.stop();
  return { heaps: { children, pods, resources, reconcileCache: await reconcileCacheBytes(client) }, counts };
}

/** Returns the bytes that the first reconciles of a controller add to the heap. */
async function reconcileCacheBytes(client: KubeClient): Promise<number> {
  const measured = controllerOf(client);
  const { cache, controller } = measured;
  await cache.start();
  const before = heap();
  controller.start();
  await controller.idle();
  const after = heap();
  await stop(measured);
  return after - before;
}

async function main(): Promise<void> {
  const [kubeconfig = '', mode = ''] = process.argv.slice(2);
  const client = clientFor(kubeconfig);
  const result = mode === 'memory' ? await memory(client) : await reconciles(client);
  client.close();
  process.stdout.write(JSON.stringify(result));
}

main().catch((error: unknown) => {
  printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
