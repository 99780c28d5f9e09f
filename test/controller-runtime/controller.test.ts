import { Registry } from 'prom-client';
import { type LiveObject, type Log, type Resource, resourceOf } from '../../lib/client';
import {
  Cache,
  Controller,
  ControllerMetrics,
  type ControllerOptions,
  generationChanged,
  matching,
  type ReconcileRequest,
  type ReconcileResult,
  setControllerReference,
  TerminalError,
} from '../../lib/controller-runtime';
import { ApiError } from '../../lib/kube';
import { FakeApiServer } from '../controller/fake-api-server';
import { ManualClock, settled } from '../kube/manual-clock';

const widgets: Resource = { apiVersion: 'example.com/v1', kind: 'Widget', plural: 'widgets', namespaced: true };
const pods = resourceOf('Pod');
const nodes = resourceOf('Node');

/** A controller of widgets, a server, and a clock that advances only on request. */
class WidgetFixture {
  readonly server = new FakeApiServer();
  readonly clock = new ManualClock();
  readonly registry = new Registry();
  readonly lines: string[] = [];
  readonly reconciled: string[] = [];
  answer: (request: ReconcileRequest) => Promise<ReconcileResult | undefined> = () => Promise.resolve(undefined);
  readonly cache: Cache;
  readonly controller: Controller;

  constructor(options: Partial<ControllerOptions> = {}) {
    const { clock, registry } = this;
    const at = (level: string) => (message: string) => void this.lines.push(`${level} ${message}`);
    const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
    this.cache = new Cache({ client: this.server, clock, log, registry });
    const metrics = new ControllerMetrics(registry, clock);
    this.controller = new Controller(
      { cache: this.cache, clock, log, metrics },
      {
        for: { resource: widgets },
        ...options,
        reconciler: {
          reconcile: (request) => {
            this.reconciled.push(`${request.namespace}/${request.name}`);
            return this.answer(request);
          },
        },
      },
    );
  }

  async start(): Promise<void> {
    await this.cache.start();
    this.controller.start();
    await this.settle();
  }

  /** Advances the clock, and returns what was reconciled since the last call. */
  async settle(milliseconds = 0): Promise<readonly string[]> {
    await this.clock.advance(milliseconds);
    for (let round = 0; round < 5; round++) await settled();
    return this.reconciled.splice(0);
  }

  put(kind: string, name: string, content: object = {}): LiveObject {
    const apiVersion = kind === 'Widget' ? widgets.apiVersion : 'v1';
    const present = this.server.find(kind, kind === 'Node' ? '' : 'shop', name);
    const { metadata, ...rest } = content as { readonly metadata?: object };
    const namespace = kind === 'Node' ? {} : { namespace: 'shop' };
    return this.server.put({
      ...present,
      ...rest,
      apiVersion,
      kind,
      metadata: { ...present?.metadata, ...namespace, name, ...metadata },
    });
  }

  async stop(): Promise<void> {
    await this.controller.stop();
    await this.cache.stop();
  }
}

let at: WidgetFixture;
afterEach(() => at.stop());

test('reconciles every object at the start, and each one that changes or is deleted', async () => {
  at = new WidgetFixture();
  at.put('Widget', 'a');
  at.put('Widget', 'b');
  await at.cache.start();
  expect(await at.settle()).toEqual([]); // it does not lead yet
  at.controller.start();
  expect(await at.settle()).toEqual(['shop/a', 'shop/b']);
  at.put('Widget', 'b', { spec: { size: 2 } });
  expect(await at.settle()).toEqual(['shop/b']);
  at.server.removeObject('Widget', 'shop', 'a');
  expect(await at.settle()).toEqual(['shop/a']);
  at.put('Pod', 'unrelated');
  expect(await at.settle()).toEqual([]);
});

test('reconciles the owner of an object that it owns, before and after a change of owner', async () => {
  at = new WidgetFixture({ owns: [{ resource: pods }] });
  const [a, b] = [at.put('Widget', 'a'), at.put('Widget', 'b')];
  await at.start();
  await at.settle();
  const podOf = (owner: LiveObject) =>
    setControllerReference(owner, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'shop' } });
  at.put('Pod', 'p', podOf(a));
  expect(await at.settle()).toEqual(['shop/a']);
  at.put('Pod', 'p', podOf(b));
  expect(await at.settle()).toEqual(['shop/a', 'shop/b']);
  const owner = { name: 'b', uid: 'other', apiVersion: 'other.io/v1', kind: 'Widget', controller: true };
  at.put('Pod', 'of-other-group', { metadata: { ownerReferences: [owner] } });
  expect(await at.settle()).toEqual([]);
});

test('maps the objects of other resources, and ignores events that a predicate rejects', async () => {
  at = new WidgetFixture({
    for: { resource: widgets, predicates: [generationChanged] },
    watches: [
      {
        resource: nodes,
        predicates: [matching(({ metadata }) => metadata.name !== 'ignored')],
        map: ({ metadata }) => [{ namespace: 'shop', name: metadata.name }],
      },
    ],
  });
  at.put('Widget', 'a');
  await at.start();
  await at.settle();
  at.put('Node', 'a');
  at.put('Node', 'ignored');
  expect(await at.settle()).toEqual(['shop/a']);
  at.put('Widget', 'a', { status: { ready: true } });
  expect(await at.settle()).toEqual([]);
  at.put('Widget', 'a', { spec: { size: 3 } });
  expect(await at.settle()).toEqual(['shop/a']);
});

test('reconciles again after a delay, with back-off after failures, and not after a terminal error', async () => {
  at = new WidgetFixture({ rateLimiter: { baseDelay: 100, maxDelay: 150 } });
  await at.start();
  at.answer = () => Promise.resolve({ requeueAfter: 5_000 });
  at.put('Widget', 'a');
  expect(await at.settle(4_999)).toEqual(['shop/a']);
  at.answer = () => Promise.reject(new Error('unreachable'));
  expect(await at.settle(1)).toEqual(['shop/a']);
  expect(await at.settle(100)).toEqual(['shop/a']);
  expect(await at.settle(149)).toEqual([]);
  at.answer = () => Promise.resolve({ requeue: true });
  expect(await at.settle(1)).toEqual(['shop/a']);
  at.answer = () => Promise.reject(new TerminalError('the spec is invalid'));
  expect(await at.settle(150)).toEqual(['shop/a']);
  expect(await at.settle(60_000)).toEqual([]);
  expect(at.lines).toEqual([
    'warn reconcile failed',
    'warn reconcile failed',
    'debug requeued with back-off',
    'error reconcile failed, and is not retried',
  ]);
  const text = await at.registry.metrics();
  for (const [result, count] of Object.entries({ requeue_after: 1, error: 2, requeue: 1, terminal_error: 1 }))
    expect(text).toContain(`controller_runtime_reconcile_total{controller="widgets",result="${result}"} ${count}`);
  expect(text).toContain('controller_runtime_reconcile_errors_total{controller="widgets"} 3');
  expect(text).toContain('controller_runtime_active_workers{controller="widgets"} 0');
  expect(text).toContain('workqueue_retries_total{name="widgets"} 3');
});

test('a conflict is normal operation, and a reconcile without progress hangs', async () => {
  at = new WidgetFixture({ hungAfter: 60_000 });
  await at.start();
  at.answer = () => Promise.reject(new ApiError(409, 'Conflict', 'the object has been modified'));
  at.put('Widget', 'a');
  await at.settle();
  expect(at.lines).toEqual(['debug the object has been modified']);
  let finish = (): void => undefined;
  at.answer = () => new Promise((resolve) => (finish = () => resolve(undefined)));
  await at.settle(60_000);
  expect(at.controller.unhealthyReason()).toBeUndefined();
  await at.settle(60_000);
  expect(at.controller.unhealthyReason()).toBe('the reconcile of shop/a hangs');
  finish();
  await at.settle();
  expect(at.controller.unhealthyReason()).toBeUndefined();
});

test('reconciles everything again after the sync period', async () => {
  at = new WidgetFixture({ syncPeriod: 600_000 });
  at.put('Widget', 'a');
  await at.start();
  await at.settle();
  expect(await at.settle(599_999)).toEqual([]);
  expect(await at.settle(1)).toEqual(['shop/a']);
});

test('the start and resyncs leave out objects that a predicate rejects as created', async () => {
  const isEnabled = matching(({ metadata: { labels } }) => labels?.['enabled'] === 'true');
  at = new WidgetFixture({ for: { resource: widgets, predicates: [isEnabled] }, syncPeriod: 600_000 });
  at.put('Widget', 'a', { metadata: { labels: { enabled: 'true' } } });
  at.put('Widget', 'b');
  await at.cache.start();
  at.controller.start();
  expect(await at.settle()).toEqual(['shop/a']);
  expect(await at.settle(600_000)).toEqual(['shop/a']);
});
