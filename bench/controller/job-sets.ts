import {
  collectionPath,
  type LiveObject,
  type Resource,
  resourceOf,
  type SentObject,
  SharedInformer,
} from '../../lib/kube';
import { type AuditEvent, type AuditMark } from '../../test/control-plane/audit';
import { realClock } from '../../test/kube/real-clock';
import { ratio } from '../ratio';
import { BenchCluster, controllerUser } from './bench-cluster';
import { describeRequests } from './describe-requests';
import { barePlatform, ourJobSet, theirJobSet } from './job-set-documents';
import { JobSetPeer, peerUser } from './job-set-peer';
import { inParallel, progress, say, sleep } from './progress';
import { type Sizes } from './sizes';

/** Seconds without a request after which a controller has nothing left to say; it holds numbers back for five. */
const quietSeconds = 8;

/** One of the two controllers. */
interface Contender {
  readonly name: 'ours' | 'theirs';
  readonly user: string;
  readonly resource: Resource;
  /** Type of the condition that says that a job set has succeeded. */
  readonly complete: string;
  start(): Promise<() => Promise<void>>;
  document(namespace: string, name: string): SentObject;
}

interface Run {
  readonly seconds: number;
  readonly requests: readonly AuditEvent[];
}

/** Job sets from the first one stored until all are complete, by ours and by the JobSet controller in turn. */
export async function jobSets({ 'job-sets': count, shards }: Sizes): Promise<void> {
  const bench = await BenchCluster.start(Math.max(3, Math.ceil((count * shards) / 25)), barePlatform);
  try {
    const ours = ourContender(bench, shards);
    const theirs = theirContender(await JobSetPeer.install(bench), shards);
    const order = [ours, theirs, theirs, ours];
    const namespaces = order.map(({ name }, index) => `job-sets-${name}-${Math.floor(index / 2)}`);
    await bench.projects(namespaces);
    const runs = { ours: [] as Run[], theirs: [] as Run[] };
    for (const [index, contender] of order.entries()) {
      const run = await measure(bench, contender, namespaces[index] ?? '', count);
      runs[contender.name].push(run);
      say(
        `job-sets: ${contender.name}, ${count} of ${shards} shards: complete in ${run.seconds.toFixed(1)} s, ` +
          describeRequests(run.requests),
      );
    }
    compare(runs, count);
  } finally {
    await bench.stop();
  }
}

const ourContender = (bench: BenchCluster, shards: number): Contender => ({
  name: 'ours',
  user: controllerUser,
  resource: resourceOf('PinterestJobSet'),
  complete: 'Complete',
  start: async () => {
    const controller = bench.startController();
    await controller.leads();
    return async () => void (await controller.stop());
  },
  document: (namespace, name) => ourJobSet(namespace, name, shards) as object as SentObject,
});

const theirContender = (peer: JobSetPeer, shards: number): Contender => ({
  name: 'theirs',
  user: peerUser,
  resource: { apiVersion: 'jobset.x-k8s.io/v1alpha2', kind: 'JobSet', plural: 'jobsets', namespaced: true },
  complete: 'Completed',
  start: () => peer.start(),
  document: (namespace, name) => theirJobSet(namespace, name, shards),
});

async function measure(bench: BenchCluster, contender: Contender, namespace: string, count: number): Promise<Run> {
  const { name, user, resource, complete, document } = contender;
  const stop = await contender.start();
  const watched = watchComplete(bench, resource, namespace, complete);
  try {
    await watched.informer.waitForSync();
    await quiet(bench, user);
    const documents = Array.from({ length: count }, (_, index) => document(namespace, `set-${index}`));
    const path = collectionPath(resource, namespace);
    const mark = bench.cluster.audit.mark();
    const begun = performance.now();
    await inParallel(`${name}: storing job sets`, documents, 16, (each) => bench.admin.request('POST', path, each));
    while (watched.done.size < count) {
      progress(`${name}: ${watched.done.size} of ${count} complete`);
      if (performance.now() - begun > 1_800_000) throw new Error(`${name}: ${watched.done.size} of ${count} complete`);
      await sleep(200);
    }
    await quiet(bench, user);
    return { seconds: (watched.last() - begun) / 1000, requests: requestsOf(bench, user, mark) };
  } finally {
    await watched.informer.stop();
    await stop();
  }
}

/** Notes which job sets of a namespace are complete by their status, and when the last one became so. */
function watchComplete(bench: BenchCluster, resource: Resource, namespace: string, condition: string) {
  const done = new Set<string>();
  let last = 0;
  const look = (isComplete: boolean, key: string): void => {
    if (!isComplete || done.has(key)) return;
    done.add(key);
    last = performance.now();
  };
  const informer = new SharedInformer<boolean>({
    client: bench.admin,
    clock: realClock,
    resource,
    selection: { namespace },
    transform: (object) => holds(object, condition),
    onError: (error) => say(String(error)),
  });
  informer.addHandler({ added: look, updated: (_, now, key) => look(now, key) });
  informer.start();
  return { informer, done, last: () => last };
}

function holds(object: LiveObject, type: string): boolean {
  const status = object['status'] as { readonly conditions?: readonly { type: string; status: string }[] } | undefined;
  const isTrue = (wanted: string): boolean =>
    status?.conditions?.some((each) => each.type === wanted && each.status === 'True') === true;
  if (isTrue('Failed')) throw new Error(`${object.kind} ${object.metadata.name} failed`);
  return isTrue(type);
}

/** What a controller asked after a mark; watches and the lease left out. */
const requestsOf = (bench: BenchCluster, user: string, mark: AuditMark): readonly AuditEvent[] =>
  bench.cluster.audit
    .since(mark, { user })
    .filter(({ verb, objectRef }) => verb !== 'watch' && objectRef?.resource !== 'leases');

async function quiet(bench: BenchCluster, user: string): Promise<void> {
  for (;;) {
    const mark = bench.cluster.audit.mark();
    await sleep(quietSeconds * 1000);
    if (requestsOf(bench, user, mark).length === 0) return;
  }
}

const sorts = ['reads', 'writes', 'events'] as const;

const sortOf = ({ verb, objectRef }: AuditEvent): (typeof sorts)[number] => {
  if (objectRef?.resource === 'events') return 'events';
  return verb === 'get' || verb === 'list' ? 'reads' : 'writes';
};

function compare({ ours, theirs }: { readonly ours: readonly Run[]; readonly theirs: readonly Run[] }, count: number) {
  const seconds = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + run.seconds, 0) / runs.length;
  const each = (runs: readonly Run[], sort?: (typeof sorts)[number]): number => {
    const all = runs.flatMap(({ requests }) => requests);
    return all.filter((event) => sort === undefined || sortOf(event) === sort).length / runs.length / count;
  };
  for (const [name, runs] of Object.entries({ ours, theirs })) {
    const parts = sorts.map((sort) => `${each(runs, sort).toFixed(2)} ${sort}`).join(', ');
    say(`job-sets: ${name}, a job set: ${each(runs).toFixed(2)} requests: ${parts}`);
  }
  ratio('jobset-time', seconds(ours) / seconds(theirs), '<=', 1);
  ratio('jobset-requests', each(ours) / each(theirs), '<=', 1);
  ratio('jobset-writes-without-events', each(ours, 'writes') / each(theirs, 'writes'), '<=', 1);
}
