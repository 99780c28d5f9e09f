import { type ManifestInput } from '../lib/api';
import { type ServiceClient } from '../lib/contract';
import { resourceOf, type SentObject } from '../lib/kube';
import { submissionProject } from '../lib/programs';
import { CustomResources } from '../test/local/custom-resources';
import { type SubmissionProcess } from '../test/local/submission-process';
import { SubmissionTestbed } from '../test/submission/submission-testbed';
import { BenchCluster } from './controller/bench-cluster';
import { inParallel } from './controller/in-parallel';
import { progress, printLine } from './controller/progress';
import { projectOf, service, smallSpec } from './controller/services';
import { sleep } from './controller/sleep';
import { childNamed, processorTime } from './processor-time';
import { median, ratio } from './ratio';

const callers = 50;
const projects = Array.from({ length: 20 }, (_, index) => `team-${index}`);
/** Project without enough quota for the request. */
const exhaustedProject = 'full';
const rounds = 3;
/** Submissions of each caller in a round. */
const submissionsPerCaller = 3;
const rejections = 3_000;
// Progress deadline: deployments fail after this time, long before the next round.
const stages = [{ name: 'prod', stop: { timeout: '30s', onFailure: 'Keep' as const } }];

interface Figures {
  readonly p50: number;
  readonly p99: number;
  /** CPU milliseconds per submission, by process. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

const projectAt = (index: number): string => projects[index % projects.length] ?? '';

/**
 * Measures the cost of a submission beyond its writes.
 *
 * A submission is measured from the request until the event that reports the custom resource as applied, which a caller
 * waits for; the 202 response comes earlier. The baseline makes the same number of writes, as counted in the audit log
 * for the service, one after another to the same API server: ConfigMaps as large as its records, and the custom
 * resource. The controller is stopped, so that nothing else is measured. A round starts when all deployments of the
 * previous one have ended.
 */
async function main(): Promise<void> {
  const bench = await BenchCluster.start(3);
  let testbed: SubmissionTestbed | undefined;
  try {
    bench.startController();
    testbed = await SubmissionTestbed.make(
      Object.assign(new CustomResources(bench.cluster.client), { cluster: bench.cluster }),
    );
    for (const name of projects) await testbed.project(name, projectOf(name).spec);
    await testbed.project(exhaustedProject, { ...projectOf(exhaustedProject).spec, quota: { pods: '2' } });
    await bench.quiet(3);
    await bench.stopControllers();
    const submission = await testbed.start('submission');
    await submission.waitUntilLogged('leading');
    const url = await submission.url();
    await measureSubmissions(bench, testbed, submission, url);
    await measureRejections(testbed, submission, url);
  } finally {
    await testbed?.stop();
    await bench.stop();
  }
}

async function measureSubmissions(
  bench: BenchCluster,
  testbed: SubmissionTestbed,
  submission: SubmissionProcess,
  url: string,
): Promise<void> {
  const parts = {
    'kube-apiserver': childNamed('kube-apiserver'),
    etcd: childNamed('etcd'),
    service: submission.pid,
    callers: process.pid,
  };
  const clients = Array.from({ length: callers }, (_, index) => testbed.client(url, `user-${index}`));
  const [viaService, direct]: [Figures[], Figures[]] = [[], []];
  let writes = 0;
  for (let round = 0; round <= rounds; round++) {
    const artifacts = await publishArtifacts(testbed, round);
    const mark = bench.cluster.audit.mark();
    const accepted: number[] = [];
    const serviceFigures = await timed(`round ${round}: through the service`, parts, async (index) => {
      const client = clients[index % callers] as ServiceClient;
      const startedAt = performance.now();
      const { id } = await client.request('deploy', {
        body: { artifact: artifacts[index] ?? '', stage: 'prod' },
        key: `bench-${round}-${index}`,
      });
      accepted.push(performance.now() - startedAt);
      for await (const { message } of client.follow(id)) if (message.startsWith('applied on')) return;
      throw new Error(`${id} was never applied`);
    });
    writes = writesOf(bench, mark) / (callers * submissionsPerCaller);
    const directFigures = await timed(`round ${round}: directly to the API server`, parts, (index) =>
      writeDirectly(bench, round, index, Math.round(writes)),
    );
    await waitUntilAllEnded(bench);
    // The first round warms up both.
    if (round === 0) continue;
    viaService.push(serviceFigures);
    direct.push(directFigures);
    const acceptedAfter = median(accepted, (one) => one).toFixed(0);
    printLine(
      `round ${round}: ${formatLatencies(serviceFigures)} through the service, accepted after ${acceptedAfter} ms; ${formatLatencies(directFigures)} directly; ` +
        `${writes.toFixed(2)} writes each`,
    );
    printLine(
      `CPU time per submission: ${formatCpu(serviceFigures)} through the service; ${formatCpu(directFigures)} directly`,
    );
  }
  const of = (all: readonly Figures[], key: 'p50' | 'p99'): number => median(all, (one) => one[key])[key];
  ratio('submission-p50', of(viaService, 'p50') / of(direct, 'p50'), '<=', 2);
  ratio('submission-p99', of(viaService, 'p99') / of(direct, 'p99'), '<=', 2.5);
}

/** Waits until all deployments have ended: the controller is stopped, and nothing becomes Ready. */
async function waitUntilAllEnded({ admin }: BenchCluster): Promise<void> {
  for (;;) {
    const { items } = await admin.list(resourceOf('ConfigMap'), { namespace: submissionProject });
    const ledgers = items.flatMap(({ data }) => (data as { readonly ledger?: string } | undefined)?.ledger ?? []);
    const open = ledgers.map((text) => (JSON.parse(text) as { readonly open: readonly unknown[] }).open.length);
    progress(`${open.reduce((all, one) => all + one, 0)} deployments are in progress`);
    if (open.every((one) => one === 0)) return;
    await sleep(500);
  }
}

/** Publishes the artifacts of a round, each with its own workflow and workload. */
async function publishArtifacts(testbed: SubmissionTestbed, round: number): Promise<readonly string[]> {
  const references: string[] = [];
  await inParallel('publishing', Array.from({ length: callers * submissionsPerCaller }), 8, async (_, index) => {
    const [project, name] = [projectAt(index), `app-${round}-${index}`];
    references[index] = await testbed.publishing.publish(project, '1.0.0', [serviceOf(project, name)], stages, name);
  });
  return references;
}

const serviceOf = (project: string, name: string, replicas = 1): ManifestInput<'PinterestService'> =>
  service(project, name, {
    ...smallSpec(replicas),
    template: {
      spec: { ...smallSpec(1).template.spec, securityContext: { runAsUser: 65534, runAsGroup: 65534 } },
    },
  });

/** Measures a function that all callers run repeatedly. */
async function timed(
  what: string,
  parts: Readonly<Record<string, number>>,
  work: (index: number) => Promise<void>,
): Promise<Figures> {
  const times: number[] = [];
  const clocks = Object.entries(parts).map(([part, pid]) => ({ part, pid, before: processorTime(pid) }));
  const all = Array.from({ length: callers * submissionsPerCaller }, (_, index) => index);
  await inParallel(what, all, callers, async (index) => {
    const startedAt = performance.now();
    await work(index);
    times.push(performance.now() - startedAt);
  });
  const cpuMs = Object.fromEntries(
    clocks.map(({ part, pid, before }) => [part, ((processorTime(pid) - before) * 1_000) / all.length]),
  );
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), cpuMs };
}

const formatCpu = ({ cpuMs }: Figures): string =>
  Object.entries(cpuMs)
    .map(([part, time]) => `${part} ${time.toFixed(1)} ms`)
    .join(', ');

const formatLatencies = ({ p50, p99 }: Figures): string => `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;

/** Returns the writes of the service after a mark, excluding updates of its lease. */
const writesOf = (bench: BenchCluster, mark: Parameters<BenchCluster['cluster']['audit']['since']>[0]): number =>
  bench.cluster.audit
    .since(mark, { userAgent: 'pinion-submission' })
    .filter(({ verb, objectRef }) => ['create', 'update', 'patch'].includes(verb) && objectRef?.resource !== 'leases')
    .length;

/**
 * Applies the same custom resource with the same number of writes: the other writes create and update a ConfigMap as large as
 * a record.
 */
async function writeDirectly(bench: BenchCluster, round: number, index: number, writes: number): Promise<void> {
  const name = `straight-${round}-${index}`;
  const data = { record: 'x'.repeat(1_500) };
  const record = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: submissionProject }, data };
  let written = writes > 1 ? await bench.admin.create(record as SentObject) : undefined;
  for (let more = 3; more <= writes && written; more++)
    written = await bench.admin.update({
      ...written,
      data: { record: `${more}`.repeat(1_500) },
    } as object as SentObject);
  await bench.admin.apply(serviceOf(projectAt(index), name) as object as SentObject);
}

/**
 * Measures the CPU time that the service spends on rejecting requests that exceed the quota, through the complete HTTP
 * server.
 */
async function measureRejections(
  testbed: SubmissionTestbed,
  submission: SubmissionProcess,
  url: string,
): Promise<void> {
  const artifact = await testbed.publishing.publish(
    exhaustedProject,
    '1.0.0',
    [serviceOf(exhaustedProject, 'large', 50)],
    stages,
    'large',
  );
  const token = await testbed.token();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reject = async (index: number): Promise<void> => {
    const response = await fetch(`${url}/v1/deployments`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': `refused-${index}` },
      body: JSON.stringify({ artifact, stage: 'prod' }),
    });
    const text = await response.text();
    if (response.status !== 422) throw new Error(`response ${response.status}: ${text.slice(0, 500)}`);
  };
  const speeds: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await sleep(500);
    const before = processorTime(submission.pid);
    const all = Array.from({ length: rejections / rounds }, (_, index) => round * rejections + index);
    await inParallel('rejections', all, callers, reject);
    if (round > 0) speeds.push(all.length / (processorTime(submission.pid) - before));
  }
  const speed = median(speeds, (one) => one);
  printLine(`${speed.toFixed(0)} rejections by quota per CPU second of the service`);
  ratio('submission-refusals', speed / 300, '>=', 1);
}

// Keeps the event loop alive, which the server processes of the control plane do not.
const alive = setInterval(() => undefined, 60_000);
main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => {
    clearInterval(alive);
    progress('');
  });
