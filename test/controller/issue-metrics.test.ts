import { Registry } from 'prom-client';
import { apiVersion, type ManifestInput, metadataKeys, parseManifest } from '../../lib/api';
import { childOf } from '../../lib/controller/observed/child-of';
import { ReconcileMetrics } from '../../lib/controller/reconcile-metrics';
import { type LiveObject } from '../../lib/kube';

type Fields = Readonly<Record<string, unknown>>;
type Spec = Partial<ManifestInput<'PinterestCronJob'>['spec']>;

const created = '2026-03-10T00:30:00Z';
const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } };

/** A cluster of cron jobs and autoscalers, with a clock. */
class Cluster {
  readonly objects: LiveObject[] = [];
  readonly #registry = new Registry();
  now = '2026-03-10T10:00:30Z';

  constructor() {
    const ownedBy = (uid: string) =>
      this.#native().filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
    const resource = (kind: string, namespace: string, name: string) =>
      this.objects.find(
        ({ kind: each, metadata }) =>
          each === kind && metadata.name === name && (metadata.namespace ?? '') === namespace,
      );
    const stores = {
      resource,
      resources: (kind: string) => this.objects.filter((object) => object.kind === kind),
      children: (kind: string) =>
        this.#native()
          .filter((object) => object.kind === kind)
          .map(childOf),
      ownedBy: (uid: string) => ownedBy(uid).map(childOf),
      sizes: () => new Map<string, number>(),
    };
    new ReconcileMetrics(this.#registry, stores, { changes: [] }, () => Date.parse(this.now));
  }

  #native(): readonly LiveObject[] {
    return this.objects.filter((object) => object.apiVersion !== apiVersion);
  }

  add(kind: string, name: string, body: Fields, owner?: LiveObject): LiveObject {
    const object = {
      ...{ apiVersion: kind.startsWith('Pinterest') ? apiVersion : 'batch/v1', kind, ...body },
      metadata: {
        ...{ name, namespace: 'shop', uid: `${kind}-${name}`, resourceVersion: '1', generation: 1 },
        ...{ creationTimestamp: created, labels: { [metadataKeys.workload]: name } },
        ...(owner && {
          ownerReferences: [
            {
              apiVersion: owner.apiVersion,
              kind: owner.kind,
              name: owner.metadata.name,
              uid: owner.metadata.uid,
              controller: true,
            },
          ],
        }),
      },
    } as LiveObject;
    this.objects.push(object);
    return object;
  }

  project(onCall: string): void {
    const metadata = { name: 'shop', uid: 'project', resourceVersion: '1' };
    this.objects.push({ apiVersion, kind: 'Project', metadata, spec: { team: 'shop', onCall } } as LiveObject);
  }

  /** Adds an hourly cron job with its CronJob and Jobs. */
  cronJob(
    name: string,
    { spec, status, jobs = {} }: { spec?: Spec; status: Fields; jobs?: Readonly<Record<string, Fields>> },
  ) {
    const metadata = { name, namespace: 'shop' };
    const input: ManifestInput<'PinterestCronJob'> = {
      apiVersion,
      kind: 'PinterestCronJob',
      metadata,
      spec: { schedule: '0 * * * *', template, ...spec },
    };
    const workload = this.add('PinterestCronJob', name, { spec: parseManifest(input).spec });
    const cronJob = this.add('CronJob', name, { status }, workload);
    for (const [job, jobStatus] of Object.entries(jobs)) this.add('Job', job, { status: jobStatus }, cronJob);
    return workload;
  }

  /** Adds a service with an autoscaler in a state. */
  autoscaler(name: string, condition: Fields): void {
    const service = this.add('PinterestService', name, { spec: {} });
    this.add('HorizontalPodAutoscaler', name, { status: { conditions: [condition] } }, service);
  }

  /** Returns the issues, as Prometheus scrapes them. */
  async issues(): Promise<readonly string[]> {
    const lines = (await this.#registry.metrics()).split('\n');
    return lines
      .filter((line) => line.startsWith('pinion_workload_issues{'))
      .map((line) => {
        const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(line)?.[1];
        return `${label('issue')} ${label('project')}/${label('workload')} ${line.split(' ').at(-1)}`;
      });
  }

  async text(): Promise<string> {
    return this.#registry.metrics();
  }
}

const active = (...names: readonly string[]) => names.map((name) => ({ kind: 'Job', name, namespace: 'shop' }));
const ended = (startTime: string, type: 'Complete' | 'Failed') => ({
  startTime,
  conditions: [{ type, status: 'True' }],
});
const [atNine, atTen] = ['2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z'];
const success = { lastScheduleTime: atNine, lastSuccessfulTime: '2026-03-10T09:05:00Z' };

async function issuesOf(now: string, ...[options]: [Parameters<Cluster['cronJob']>[1]]): Promise<readonly string[]> {
  const cluster = new Cluster();
  cluster.now = now;
  cluster.cronJob('report', options);
  return cluster.issues();
}

describe('missed starts', () => {
  test.each([
    ['a minute after the next start', '2026-03-10T10:01:01Z', { status: success }, ['Missed shop/report 1']],
    ['not within that minute', '2026-03-10T10:00:59Z', { status: success }, []],
    ['of a cron job that never ran', '2026-03-10T01:02:00Z', { status: {} }, ['Missed shop/report 1']],
    ['not before the first start', '2026-03-10T00:59:00Z', { status: {} }, []],
    ['not of a suspended one', '2026-03-10T10:30:00Z', { status: success, spec: { suspend: true } }, []],
    [
      'not by the clocks of UTC',
      atTen,
      { status: success, spec: { schedule: '0 9 * * *', timeZone: 'Asia/Tokyo' } },
      [],
    ],
  ])('%s', async (_, now, options, expected) => {
    expect(await issuesOf(now, options)).toEqual(expected);
  });

  test('a start while it was suspended does not count once it resumes', async () => {
    const cluster = new Cluster();
    const workload = cluster.cronJob('report', { status: success, spec: { suspend: true, startingDeadline: '1m' } });
    cluster.now = '2026-03-10T12:30:00Z';
    expect(await cluster.issues()).toEqual([]);
    cluster.objects.splice(cluster.objects.indexOf(workload), 1, {
      ...workload,
      spec: { ...(workload as { spec?: object }).spec, suspend: false },
      metadata: { ...workload.metadata, generation: 2 },
    } as LiveObject);
    expect(await cluster.issues()).toEqual([]);
    cluster.now = '2026-03-10T12:59:00Z';
    expect(await cluster.issues()).toEqual([]);
    cluster.now = '2026-03-10T13:02:00Z';
    expect(await cluster.issues()).toEqual(['Missed shop/report 1']);
  });
});

describe('overlapping runs', () => {
  const running = { startTime: atNine };
  test.each([
    [
      'two at once',
      { status: { lastScheduleTime: atTen, active: active('a', 'b') }, jobs: { a: running, b: { startTime: atTen } } },
      ['Overlapping shop/report 1'],
    ],
    [
      'one that is still active at the next start',
      { status: { lastScheduleTime: atNine, active: active('a') }, jobs: { a: running } },
      ['Overlapping shop/report 1'],
    ],
    [
      'not one alone',
      { status: { lastScheduleTime: atTen, active: active('a') }, jobs: { a: { startTime: atTen } } },
      [],
    ],
    [
      'not one that a user started',
      { status: { lastScheduleTime: atTen, active: active('a') }, jobs: { a: { startTime: atTen }, manual: running } },
      [],
    ],
  ])('%s', async (_, options, expected) => {
    expect(await issuesOf('2026-03-10T10:05:00Z', options)).toEqual(expected);
  });
});

test.each([
  ['longer than expected', '20m', ['Overdue shop/report 1']],
  ['within it', '40m', []],
  ['without an expectation', undefined, []],
])('a run is overdue by its expected duration: %s', async (_, expectedDuration, expected) => {
  const status = { lastScheduleTime: atTen, active: active('a') };
  const spec = expectedDuration === undefined ? {} : { expectedDuration };
  expect(await issuesOf('2026-03-10T10:30:00Z', { spec, status, jobs: { a: { startTime: atTen } } })).toEqual(expected);
});

describe('failing runs', () => {
  const failure = { lastScheduleTime: atTen, lastSuccessfulTime: '2026-03-10T09:05:00Z' };
  test.each([
    ['the last run failed', {}, { a: ended(atNine, 'Complete'), b: ended(atTen, 'Failed') }, ['Failing shop/report 1']],
    ['it has recovered', {}, { a: ended(atNine, 'Failed'), b: ended(atTen, 'Complete') }, []],
    ['a run was deleted', {}, {}, []],
    [
      'failed runs are not kept',
      { history: { failed: 0 } },
      { a: ended(atNine, 'Complete') },
      ['Failing shop/report 1'],
    ],
  ])('%s', async (_, spec, jobs, expected) => {
    expect(await issuesOf('2026-03-10T10:30:00Z', { spec, status: failure, jobs })).toEqual(expected);
  });
});

test.each([
  [{ type: 'ScalingLimited', status: 'True', reason: 'TooManyReplicas' }, ['AtMaxReplicas shop/cart 1']],
  [{ type: 'ScalingLimited', status: 'True', reason: 'TooFewReplicas' }, []],
  [{ type: 'ScalingLimited', status: 'False', reason: 'DesiredWithinRange' }, []],
])('an autoscaler is at its maximum only if it would have more pods: %o', async (condition, expected) => {
  const cluster = new Cluster();
  cluster.autoscaler('cart', condition);
  expect(await cluster.issues()).toEqual(expected);
});

test('names the on-call contact of the Project', async () => {
  const cluster = new Cluster();
  cluster.project('#shop-oncall');
  cluster.autoscaler('cart', { type: 'ScalingLimited', status: 'True', reason: 'TooManyReplicas' });
  expect(await cluster.text()).toContain(
    'pinion_workload_issues{issue="AtMaxReplicas",kind="PinterestService",project="shop",workload="cart",on_call="#shop-oncall"} 1',
  );
});

test('an autoscaler that names an owner that does not exist has no issue', async () => {
  const cluster = new Cluster();
  cluster.autoscaler('cart', { type: 'ScalingLimited', status: 'True', reason: 'TooManyReplicas' });
  cluster.objects.splice(0, 1);
  expect(await cluster.issues()).toEqual([]);
});

test('names 200 workloads by issue, and counts the others', async () => {
  const cluster = new Cluster();
  for (let index = 0; index < 230; index++) cluster.cronJob(`report-${index}`, { status: success });
  cluster.autoscaler('cart', { type: 'ScalingLimited', status: 'True', reason: 'TooManyReplicas' });
  cluster.now = '2026-03-10T10:30:00Z';
  const issues = await cluster.issues();
  expect(issues).toHaveLength(202);
  expect(issues).toContain('Missed other/other 30');
  expect(issues).toContain('AtMaxReplicas shop/cart 1');
});
