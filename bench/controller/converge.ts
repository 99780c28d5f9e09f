import { withAppliedHash } from '../../lib/controller/plan/applied-hash';
import { collectionPath, resourceOf } from '../../lib/kube';
import { type AuditEvent, type AuditMark } from '../../test/control-plane/audit';
import { waitFor } from '../../test/control-plane/wait-for';
import { childNamed, processorTime } from '../processor-time';
import { ratio } from '../ratio';
import { auditTime } from './audit-time';
import { BenchCluster } from './bench-cluster';
import { describeRequests } from './describe-requests';
import { inParallel } from './in-parallel';
import { policyTime } from './policy-time';
import { progress, printLine } from './progress';
import { callableSpec, objectsOf, service } from './services';
import { type Sizes } from './sizes';

const bareAgent = 'bare-loop';
/**
 * Other controllers are stopped while objects are created, rather than paused: the API server waits for a stalled
 * watch.
 */
const others = ['kube-controller-manager', 'kube-scheduler'] as const;
const project = 'bench-ours';

/** Objects that were created, and what they cost. */
interface Creation {
  /** Objects per second, by the audit log. */
  readonly rate: number;
  /** CPU milliseconds per object, by process. */
  readonly cpuMs: Readonly<Record<'kube-apiserver' | 'etcd' | 'client', number>>;
  /** Milliseconds per object that requests spend in admission policies. */
  readonly policyMs: number;
}

/**
 * Creates services from scratch: by the controller, and before and after it by loops that only apply the same objects. One
 * loop has the service account of the controller, which admission policies confine; the other one is an administrator.
 */
export async function converge(sizes: Sizes): Promise<void> {
  const bench = await BenchCluster.start(Math.max(3, Math.ceil((sizes.services * 2) / 25)));
  const loop = (turn: string) => bareLoop(bench, `bench-${turn}`, bench.controllerKubeconfig, sizes);
  const adminLoop = (turn: string) => bareLoop(bench, `bench-admin-${turn}`, bench.cluster.kubeconfig, sizes);
  const turns = ['before', 'after'];
  try {
    await bench.projects([project, ...turns.flatMap((turn) => [`bench-${turn}`, `bench-admin-${turn}`])]);
    for (const part of others) await bench.cluster.part(part).stop();
    // In the reverse order afterwards, because the machine and the API server change.
    const [before, adminBefore] = [await loop('before'), await adminLoop('before')];
    const ours = await ourRun(bench, sizes);
    const [adminAfter, after] = [await adminLoop('after'), await loop('after')];
    for (const part of others) await bench.cluster.part(part).restart();
    const bare = meanOf(before, after);
    const unconfined = meanOf(adminBefore, adminAfter);
    printLine(
      `converge: ${ours.objects} objects of ${sizes.services} services, controller ${Math.round(ours.rate)} objects/s; ` +
        `bare loop ${Math.round(before.rate)} before and ${Math.round(after.rate)} after, ` +
        `of an administrator ${Math.round(adminBefore.rate)} and ${Math.round(adminAfter.rate)}`,
    );
    printLine(
      `converge: CPU time per object: controller ${formatCpu(ours)}; bare loop ${formatCpu(bare)}, ` +
        `of an administrator ${formatCpu(unconfined)}`,
    );
    printLine(
      `converge: time in admission policies per object: controller ${ours.policyMs.toFixed(2)} ms; ` +
        `bare loop ${bare.policyMs.toFixed(2)} ms, of an administrator ${unconfined.policyMs.toFixed(2)} ms`,
    );
    const untilReady = await readyRequests(bench, sizes, ours.mark);
    printLine(`converge: until Ready ${describeRequests(untilReady)}`);
    const extra = (requests: number): number => (requests - ours.objects) / sizes.services;
    ratio('converge-objects-per-second-vs-bare-loop', ours.rate / bare.rate, '>=', 0.8);
    ratio('converge-requests-beyond-objects-until-all-exist', extra(ours.requests), '<=', 2);
    ratio('converge-requests-beyond-objects-until-ready', extra(untilReady.length), '<=', 5);
  } finally {
    await bench.stop();
  }
}

/** Creates the objects of all services, and deletes them. */
async function bareLoop(
  bench: BenchCluster,
  namespace: string,
  kubeconfig: string,
  { services, parallel }: Sizes,
): Promise<Creation> {
  const all = Array.from({ length: services }, (_, index) =>
    objectsOf(service(namespace, `service-${index}`, callableSpec)),
  ).flat();
  const objects = all.map((object) => withAppliedHash(object, undefined).object);
  const client = bench.client(kubeconfig, bareAgent);
  const mark = bench.cluster.audit.mark();
  const policies = await policyTime(bench);
  const cpu = measureCpu(process.pid);
  await inParallel(`bare loop in ${namespace}`, objects, parallel, (object) => client.apply(object));
  const cpuMs = cpu(objects.length);
  const policyMs = ((await policies()) * 1000) / objects.length;
  const created = creations(bench.cluster.audit.since(mark, { userAgent: bareAgent }));
  if (created.length !== objects.length)
    throw new Error(`the bare loop created ${created.length} of ${objects.length} objects`);
  // Pods of these objects would distort the next measurement.
  for (const kind of new Set(objects.map((object) => object.kind))) await deleteAll(bench, kind, namespace);
  return { rate: rateOf(created), cpuMs, policyMs };
}

/** Starts measuring CPU time; the result returns milliseconds per object, by process. */
function measureCpu(client: number): (objects: number) => Creation['cpuMs'] {
  const pids = { 'kube-apiserver': childNamed('kube-apiserver'), etcd: childNamed('etcd'), client };
  const now = () => Object.entries(pids).map(([name, pid]) => [name, processorTime(pid)] as const);
  const before = Object.fromEntries(now());
  return (objects) =>
    Object.fromEntries(
      now().map(([name, seconds]) => [name, ((seconds - (before[name] ?? 0)) * 1000) / objects]),
    ) as Creation['cpuMs'];
}

const mean = (a: number, b: number): number => (a + b) / 2;
const meanOf = (a: Creation, b: Creation): Creation => ({
  rate: mean(a.rate, b.rate),
  policyMs: mean(a.policyMs, b.policyMs),
  cpuMs: {
    'kube-apiserver': mean(a.cpuMs['kube-apiserver'], b.cpuMs['kube-apiserver']),
    etcd: mean(a.cpuMs.etcd, b.cpuMs.etcd),
    client: mean(a.cpuMs.client, b.cpuMs.client),
  },
});
const formatCpu = ({ cpuMs }: Pick<Creation, 'cpuMs'>): string =>
  Object.entries(cpuMs)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)} ms`)
    .join(', ');

async function deleteAll(bench: BenchCluster, kind: string, namespace: string): Promise<void> {
  await bench.admin.request('DELETE', collectionPath(resourceOf(kind), namespace), undefined, { timeout: 300_000 });
}

async function ourRun(bench: BenchCluster, { services }: Sizes) {
  const inputs = Array.from({ length: services }, (_, index) => service(project, `service-${index}`, callableSpec));
  const expected = inputs.flatMap((input) => objectsOf(input));
  await bench.store(inputs);
  const mark = bench.cluster.audit.mark();
  const policies = await policyTime(bench);
  const controller = bench.startController();
  const cpu = measureCpu(controller.pid);
  for (const kind of new Set(expected.map((object) => object.kind))) {
    const wanted = expected.filter((object) => object.kind === kind).length;
    await waitFor(
      `${wanted} of ${kind}`,
      async () => {
        const count = await bench.count(kind, project);
        progress(`controller: ${count} of ${wanted} of ${kind}`);
        return count >= wanted;
      },
      { timeout: 600_000, interval: 1000 },
    );
  }
  await bench.quiet(3);
  const cpuMs = cpu(expected.length);
  const policyMs = ((await policies()) * 1000) / expected.length;
  const requests = bench.controllerRequests(mark);
  const created = creations(requests).filter(({ objectRef }) => objectRef?.namespace === project);
  if (created.length !== expected.length)
    throw new Error(`the controller created ${created.length} of ${expected.length}`);
  const lastCreation = Math.max(...created.map(timeOf));
  const requestsUntilCreated = withoutInitialLists(requests).filter((event) => timeOf(event) <= lastCreation);
  printLine(`converge: until all exist ${describeRequests(requestsUntilCreated)}`);
  return {
    mark,
    objects: created.length,
    rate: rateOf(created),
    cpuMs,
    policyMs,
    requests: requestsUntilCreated.length,
  };
}

/** Lists all requests of the controller from the first creation until all services are Ready and it is idle. */
async function readyRequests(bench: BenchCluster, { services }: Sizes, mark: AuditMark) {
  await waitFor(
    'all services to be Ready',
    async () => {
      const { items } = await bench.admin.list(resourceOf('PinterestService'), { namespace: project });
      const ready = items.filter(isReady).length;
      progress(`Ready: ${ready} of ${services}`);
      return ready === services;
    },
    { timeout: 1_200_000, interval: 3000 },
  );
  await bench.quiet(10);
  return withoutInitialLists(bench.controllerRequests(mark));
}

const isReady = (object: Readonly<Record<string, unknown>>): boolean => {
  const status = object['status'] as { readonly conditions?: readonly { type: string; status: string }[] } | undefined;
  return status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true;
};

const creations = (events: readonly AuditEvent[]): readonly AuditEvent[] =>
  events.filter(({ verb, responseStatus, objectRef }) => {
    return verb === 'patch' && responseStatus?.code === 201 && objectRef?.subresource === undefined;
  });

/** Drops the initial lists of a controller. */
function withoutInitialLists(events: readonly AuditEvent[]): readonly AuditEvent[] {
  const first = Math.min(...creations(events).map(timeOf));
  return events.filter((event) => timeOf(event) >= first);
}

const timeOf = ({ stageTimestamp }: AuditEvent): number => auditTime(stageTimestamp);

function rateOf(created: readonly AuditEvent[]): number {
  const times = created.map(timeOf);
  return ((created.length - 1) / (Math.max(...times) - Math.min(...times))) * 1000;
}
