import { collectionPath } from '../../lib/kube';
import { type AuditEvent } from '../../test/control-plane/audit';
import { JobSetController } from '../../test/control-plane/jobset-controller';
import { barePlatform } from '../../test/local/bare-platform';
import { ratio } from '../ratio';
import { BenchCluster } from './bench-cluster';
import { describeRequests } from './describe-requests';
import { inParallel } from './in-parallel';
import { type Contender, pinionContender, upstreamContender } from './job-set-contender';
import { progress, printLine } from './progress';
import { type Sizes } from './sizes';
import { sleep } from './sleep';
import { watchComplete } from './watch-complete';

/** Seconds without a request after which a controller counts as idle; its status updates are delayed for five. */
const quietSeconds = 8;

interface Run {
  readonly seconds: number;
  readonly requests: readonly AuditEvent[];
}

/**
 * Measures the time from the first stored JobSet until all are complete, for pinion and the JobSet controller in turn.
 */
export async function jobSets({ 'job-sets': count, shards }: Sizes): Promise<void> {
  const bench = await BenchCluster.start(Math.max(3, Math.ceil((count * shards) / 25)), barePlatform);
  try {
    const ours = pinionContender(bench, shards);
    // The objects contain the defaults of the webhooks.
    const controller = await JobSetController.install(bench.cluster, { webhooks: false, report: progress });
    const theirs = upstreamContender(controller, shards);
    const order = [ours, theirs, theirs, ours];
    const namespaces = order.map(({ name }, index) => `job-sets-${name}-${Math.floor(index / 2)}`);
    await bench.projects(namespaces);
    const runs = { ours: [] as Run[], theirs: [] as Run[] };
    for (const [index, contender] of order.entries()) {
      const run = await measure(bench, contender, namespaces[index] ?? '', count);
      runs[contender.name].push(run);
      printLine(
        `job-sets: ${contender.name}, ${count} job sets of ${shards} shards: complete in ${run.seconds.toFixed(1)} s, ` +
          describeRequests(run.requests),
      );
    }
    compare(runs, count);
  } finally {
    await bench.stop();
  }
}

async function measure(bench: BenchCluster, contender: Contender, namespace: string, count: number): Promise<Run> {
  const { name, user, resource, complete, document } = contender;
  const stop = await contender.start();
  const completion = watchComplete(bench, resource, namespace, complete);
  try {
    await completion.informer.waitForCacheSync();
    await bench.quiet(quietSeconds, { user });
    const documents = Array.from({ length: count }, (_, index) => document(namespace, `set-${index}`));
    const path = collectionPath(resource, namespace);
    const mark = bench.cluster.audit.mark();
    const startedAt = performance.now();
    await inParallel(`${name}: creating job sets`, documents, 16, (each) => bench.admin.request('POST', path, each));
    while (completion.done.size < count) {
      progress(`${name}: ${completion.done.size} of ${count} complete`);
      if (performance.now() - startedAt > 1_800_000)
        throw new Error(`${name}: ${completion.done.size} of ${count} complete`);
      await sleep(200);
    }
    await bench.quiet(quietSeconds, { user });
    return { seconds: (completion.last() - startedAt) / 1000, requests: bench.controllerRequests(mark, { user }) };
  } finally {
    await completion.informer.stop();
    await stop();
  }
}

const requestTypes = ['reads', 'writes', 'events'] as const;

const requestTypeOf = ({ verb, objectRef }: AuditEvent): (typeof requestTypes)[number] => {
  if (objectRef?.resource === 'events') return 'events';
  return verb === 'get' || verb === 'list' ? 'reads' : 'writes';
};

function compare({ ours, theirs }: { readonly ours: readonly Run[]; readonly theirs: readonly Run[] }, count: number) {
  const seconds = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + run.seconds, 0) / runs.length;
  const each = (runs: readonly Run[], type?: (typeof requestTypes)[number]): number => {
    const all = runs.flatMap(({ requests }) => requests);
    return all.filter((event) => type === undefined || requestTypeOf(event) === type).length / runs.length / count;
  };
  for (const [name, runs] of Object.entries({ ours, theirs })) {
    const parts = requestTypes.map((type) => `${each(runs, type).toFixed(2)} ${type}`).join(', ');
    printLine(`job-sets: ${name}, per job set: ${each(runs).toFixed(2)} requests: ${parts}`);
  }
  ratio('jobset-time', seconds(ours) / seconds(theirs), '<=', 1);
  ratio('jobset-requests', each(ours) / each(theirs), '<=', 1);
  ratio('jobset-writes-without-events', each(ours, 'writes') / each(theirs, 'writes'), '<=', 1);
}
