import { readFileSync } from 'node:fs';
import { type ManifestInput } from '../../lib/api';
import { resourceOf, type SentObject } from '../../lib/kube';
import { waitFor } from '../../test/control-plane/wait-for';
import { type ControllerProcess } from '../../test/local/controller-process';
import { ratio } from '../ratio';
import { BenchCluster } from './bench-cluster';
import { inParallel } from './in-parallel';
import { say } from './progress';
import { objectsOf, service, smallSpec } from './services';
import { type Sizes } from './sizes';

const podsOfService = 35;
/** Timeout in milliseconds for the initial cache sync on a busy machine. */
const startTime = 300_000;

/** One namespace each: the API server counts pods of a namespace sequentially. */
const servicesOfProject = 50;
const parallel = 24;

/** Measures the start of a controller with thousands of nodes and tens of thousands of pods. */
export async function scale({ nodes, pods }: Sizes): Promise<void> {
  const bench = await BenchCluster.start(3);
  try {
    const count = Math.ceil(pods / podsOfService);
    const projects = Array.from({ length: Math.ceil(count / servicesOfProject) }, (_, index) => `scale-${index}`);
    await bench.projects(projects);
    // The pods are created here as a scheduler and a kubelet would leave them; no other controller may change them.
    for (const part of ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const)
      await bench.cluster.part(part).stop();
    await makeNodes(bench, nodes);
    const services = Array.from({ length: count }, (_, index) =>
      service(projects[Math.floor(index / servicesOfProject)] ?? '', `service-${index}`, smallSpec(0)),
    );
    await bench.store(services);
    await makePods(bench, services, nodes, pods);
    const first = bench.startController();
    await first.leads(startTime);
    await bench.quiet(5);
    printMemory('services converge', standing(first));
    await first.stop();
    const started = Date.now();
    const again = bench.startController();
    await waitFor('the caches to sync', () => Promise.resolve(timeOf(again, 'caches synced')), {
      timeout: startTime,
      interval: 50,
    });
    const mirrored = ((timeOf(again, 'caches synced') ?? NaN) - started) / 1000;
    await again.leads(startTime);
    await bench.quiet(5);
    const at = standing(again);
    say(
      `scale: ${nodes} nodes, ${pods} pods, ${services.length} services; started and synced in ${mirrored.toFixed(1)} s`,
    );
    printMemory('restarted and idle', at);
    ratio('scale-peak-resident-megabytes', at.peak, '<=', 1024);
  } finally {
    await bench.stop();
  }
}

/** Creates copies of the first node, replacing its neighbors. */
async function makeNodes(bench: BenchCluster, nodes: number): Promise<void> {
  const model = await bench.admin.get(resourceOf('Node'), { name: 'node-0' });
  if (!model) throw new Error('there is no node-0');
  const { labels, annotations } = model.metadata;
  const missing = Array.from({ length: nodes - 3 }, (_, index) => `node-${index + 3}`);
  await inParallel('making nodes', missing, parallel, (name) =>
    bench.admin.create({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...labels, 'kubernetes.io/hostname': name }, annotations },
      spec: {},
      status: model['status'],
    } as SentObject),
  );
}

/** Creates pods as the expansion renders them, bound and running. */
async function makePods(
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
  await inParallel('making pods', numbers, parallel, async (index) => {
    const of = templates[Math.floor(index / podsOfService)];
    if (!of) return;
    await makePod(bench, of.template, { namespace: of.namespace, name: `pod-${index}` }, `node-${index % nodes}`);
  });
}

interface PodTemplate {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: {
    readonly containers: readonly { readonly name: string; readonly image: string }[];
    readonly initContainers?: readonly { readonly name: string; readonly image: string }[];
  };
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

async function makePod(bench: BenchCluster, template: PodTemplate, place: Place, nodeName: string): Promise<void> {
  const { metadata } = template;
  const spec = { ...template.spec, nodeName, serviceAccountName: 'default' };
  const pod: SentObject = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ...place }, spec };
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
  await bench.admin.patch(resourceOf('Pod'), place, { status: running }, { subresource: 'status' });
}

/** Returns the resident memory of a controller in megabytes. */
function standing({ pid }: ControllerProcess) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

function printMemory(what: string, { now, peak }: { readonly now: number; readonly peak: number }): void {
  say(`scale: ${what}: ${Math.round(now)} MB resident, ${Math.round(peak)} MB at most`);
}

const timeOf = (controller: ControllerProcess, message: string): number | undefined => {
  const line = controller.lines().find((each) => each.message === message);
  return line && Date.parse(String(line['time']));
};
