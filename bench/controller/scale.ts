import { readFileSync } from 'node:fs';
import { type ManifestInput } from '../../lib/api';
import { resourceOf, type SentObject } from '../../lib/kube';
import { waitFor } from '../../test/control-plane/wait-for';
import { type ControllerProcess } from '../../test/local/controller-process';
import { ratio } from '../ratio';
import { BenchCluster } from './bench-cluster';
import { inParallel } from './in-parallel';
import { printLine } from './progress';
import { objectsOf, service, smallSpec } from './services';
import { type Sizes } from './sizes';

const podsPerService = 35;
/** Timeout in milliseconds for the initial cache sync on a busy machine. */
const syncTimeout = 300_000;

/** Limits the pods of one namespace, which the API server counts sequentially. */
const servicesPerProject = 50;
const parallel = 24;

/** Measures the start of a controller with thousands of nodes and tens of thousands of pods. */
export async function scale({ nodes, pods }: Sizes): Promise<void> {
  const bench = await BenchCluster.start(3);
  try {
    const count = Math.ceil(pods / podsPerService);
    const projects = Array.from({ length: Math.ceil(count / servicesPerProject) }, (_, index) => `scale-${index}`);
    await bench.projects(projects);
    // The pods are created here as a scheduler and a kubelet would leave them; no other controller may change them.
    for (const part of ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const)
      await bench.cluster.part(part).stop();
    await createNodes(bench, nodes);
    const services = Array.from({ length: count }, (_, index) =>
      service(projects[Math.floor(index / servicesPerProject)] ?? '', `service-${index}`, smallSpec(0)),
    );
    await bench.store(services);
    await createPods(bench, services, nodes, pods);
    const first = bench.startController();
    await first.leads(syncTimeout);
    await bench.quiet(5);
    printMemory('services converge', residentMemory(first));
    await first.stop();
    const started = Date.now();
    const second = bench.startController();
    await waitFor('the caches to sync', () => Promise.resolve(timeOf(second, 'caches synced')), {
      timeout: syncTimeout,
      interval: 50,
    });
    const syncSeconds = ((timeOf(second, 'caches synced') ?? NaN) - started) / 1000;
    await second.leads(syncTimeout);
    await bench.quiet(5);
    const memory = residentMemory(second);
    printLine(
      `scale: ${nodes} nodes, ${pods} pods, ${services.length} services; started and synced in ${syncSeconds.toFixed(1)} s`,
    );
    printMemory('restarted and idle', memory);
    ratio('scale-peak-resident-megabytes', memory.peak, '<=', 1024);
  } finally {
    await bench.stop();
  }
}

/** Creates copies of the first node until the number is reached. */
async function createNodes(bench: BenchCluster, nodes: number): Promise<void> {
  const model = await bench.admin.get(resourceOf('Node'), { name: 'node-0' });
  if (!model) throw new Error('node-0 does not exist');
  const { labels, annotations } = model.metadata;
  const missing = Array.from({ length: nodes - 3 }, (_, index) => `node-${index + 3}`);
  await inParallel('creating nodes', missing, parallel, (name) =>
    bench.admin.create({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...labels, 'kubernetes.io/hostname': name }, annotations },
      spec: {},
      status: model['status'],
    } as SentObject),
  );
}

/** Creates the pods of the expanded templates, bound to nodes and running. */
async function createPods(
  bench: BenchCluster,
  services: readonly ManifestInput<'PinterestService'>[],
  nodes: number,
  pods: number,
): Promise<void> {
  const templates = services.map((input) => {
    const deployment = objectsOf(input).find(({ kind }) => kind === 'Deployment');
    const { template } = (deployment as unknown as { readonly spec: { readonly template: PodTemplate } }).spec;
    return { template, namespace: input.metadata.namespace ?? '' };
  });
  const numbers = Array.from({ length: pods }, (_, index) => index);
  await inParallel('creating pods', numbers, parallel, async (index) => {
    const of = templates[Math.floor(index / podsPerService)];
    if (!of) return;
    await createPod(bench, of.template, { namespace: of.namespace, name: `pod-${index}` }, `node-${index % nodes}`);
  });
}

interface PodTemplate {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: {
    readonly containers: readonly { readonly name: string; readonly image: string }[];
    readonly initContainers?: readonly { readonly name: string; readonly image: string }[];
  };
}

interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

async function createPod(bench: BenchCluster, template: PodTemplate, key: ObjectKey, nodeName: string): Promise<void> {
  const { metadata } = template;
  const spec = { ...template.spec, nodeName, serviceAccountName: 'default' };
  const pod: SentObject = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ...key }, spec };
  await bench.admin.create(pod);
  const status = (container: { readonly name: string; readonly image: string }) => ({
    name: container.name,
    image: container.image,
    imageID: `sha256:${container.name}`,
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
  });
  const now = { lastTransitionTime: '2026-01-01T00:00:00Z', status: 'True' };
  const running = {
    phase: 'Running',
    podIP: '10.0.0.1',
    startTime: '2026-01-01T00:00:00Z',
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({ type, ...now })),
    containerStatuses: spec.containers.map(status),
    initContainerStatuses: (spec.initContainers ?? []).map(status),
  };
  await bench.admin.patch(resourceOf('Pod'), key, { status: running }, { subresource: 'status' });
}

/** Returns the current and peak resident memory of a controller in megabytes. */
function residentMemory({ pid }: ControllerProcess) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

function printMemory(what: string, { now, peak }: { readonly now: number; readonly peak: number }): void {
  printLine(`scale: ${what}: ${Math.round(now)} MB resident, ${Math.round(peak)} MB peak`);
}

const timeOf = (controller: ControllerProcess, message: string): number | undefined => {
  const line = controller.lines().find((each) => each.message === message);
  return line && Date.parse(String(line['time']));
};
