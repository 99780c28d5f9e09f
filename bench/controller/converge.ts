import { withAppliedHash } from '../../lib/controller/plan/applied-hash';
import { collectionPath, resourceOf } from '../../lib/kube';
import { type AuditEvent, type AuditMark } from '../../test/control-plane/audit';
import { waitFor } from '../../test/control-plane/wait-for';
import { ratio } from '../ratio';
import { auditTime } from './audit-time';
import { BenchCluster, controllerUser } from './bench-cluster';
import { describeRequests } from './describe-requests';
import { inParallel } from './in-parallel';
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

/**
 * Creates services from scratch: by the controller, and before and after it by a loop that only applies the same
 * objects.
 */
export async function converge(sizes: Sizes): Promise<void> {
  const bench = await BenchCluster.start(Math.max(3, Math.ceil((sizes.services * 2) / 25)));
  try {
    await bench.projects([project, 'bench-before', 'bench-after']);
    for (const part of others) await bench.cluster.part(part).stop();
    const before = await bareLoop(bench, 'bench-before', sizes);
    const ours = await ourRun(bench, sizes);
    const after = await bareLoop(bench, 'bench-after', sizes);
    for (const part of others) await bench.cluster.part(part).restart();
    const bareRate = (before + after) / 2;
    printLine(
      `converge: ${ours.objects} objects of ${sizes.services} services, controller ${Math.round(ours.rate)} objects/s; ` +
        `bare loop ${Math.round(before)} before and ${Math.round(after)} after`,
    );
    const untilReady = await readyRequests(bench, sizes, ours.mark);
    printLine(`converge: until Ready ${describeRequests(untilReady)}`);
    const extra = (requests: number): number => (requests - ours.objects) / sizes.services;
    ratio('converge-objects-per-second-vs-bare-loop', ours.rate / bareRate, '>=', 0.8);
    ratio('converge-requests-beyond-objects-until-all-exist', extra(ours.requests), '<=', 2);
    ratio('converge-requests-beyond-objects-until-ready', extra(untilReady.length), '<=', 5);
  } finally {
    await bench.stop();
  }
}

/** Returns the objects per second that the bare loop creates, by the audit log; deletes the objects. */
async function bareLoop(bench: BenchCluster, namespace: string, { services, parallel }: Sizes): Promise<number> {
  const all = Array.from({ length: services }, (_, index) =>
    objectsOf(service(namespace, `service-${index}`, callableSpec)),
  ).flat();
  const objects = all.map((object) => withAppliedHash(object, undefined).object);
  const client = bench.client(bench.controllerKubeconfig, bareAgent);
  const mark = bench.cluster.audit.mark();
  await inParallel(`bare loop in ${namespace}`, objects, parallel, (object) => client.apply(object));
  const created = creations(bench.cluster.audit.since(mark, { user: controllerUser, userAgent: bareAgent }));
  if (created.length !== objects.length)
    throw new Error(`the bare loop created ${created.length} of ${objects.length} objects`);
  // Pods of these objects would distort the next measurement.
  for (const kind of new Set(objects.map((object) => object.kind))) await deleteAll(bench, kind, namespace);
  return rateOf(created);
}

async function deleteAll(bench: BenchCluster, kind: string, namespace: string): Promise<void> {
  await bench.admin.request('DELETE', collectionPath(resourceOf(kind), namespace), undefined, { timeout: 300_000 });
}

async function ourRun(bench: BenchCluster, { services }: Sizes) {
  const inputs = Array.from({ length: services }, (_, index) => service(project, `service-${index}`, callableSpec));
  const expected = inputs.flatMap((input) => objectsOf(input));
  await bench.store(inputs);
  const mark = bench.cluster.audit.mark();
  bench.startController();
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
  const requests = bench.controllerRequests(mark);
  const created = creations(requests).filter(({ objectRef }) => objectRef?.namespace === project);
  if (created.length !== expected.length)
    throw new Error(`the controller created ${created.length} of ${expected.length}`);
  const lastCreation = Math.max(...created.map(timeOf));
  const requestsUntilCreated = withoutInitialLists(requests).filter((event) => timeOf(event) <= lastCreation);
  printLine(`converge: until all exist ${describeRequests(requestsUntilCreated)}`);
  return { mark, objects: created.length, rate: rateOf(created), requests: requestsUntilCreated.length };
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
