import fc from 'fast-check';
import { ApiError } from '../../../lib/kube';
import { ConfigMapState, WriteConflictError } from '../../../lib/submission/state/config-map-state';
import {
  createDeploymentRecord,
  updateDeploymentRecord,
  type DeploymentRecord,
} from '../../../lib/submission/state/deployment-record';
import { closed, opened, type LedgerEntry, type ProjectLedger } from '../../../lib/submission/state/project-ledger';
import { ManualClock } from '../../kube/manual-clock';
import { InMemoryCluster, type InMemoryClient } from '../engine/in-memory-cluster';
import { application, requestedAt, digestOf, entry, later } from './ledger-fixture';

const namespace = 'pinion-submission';

/** A process: its state and its client. */
interface Process {
  readonly state: ConfigMapState;
  readonly client: InMemoryClient;
}

let server: InMemoryCluster;
const running: ConfigMapState[] = [];
beforeEach(() => (server = new InMemoryCluster()));
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));

async function process(): Promise<Process> {
  const client = server.client();
  const onError = (error: unknown): void => {
    throw error;
  };
  const state = new ConfigMapState({ client, clock: new ManualClock(), namespace, onError });
  running.push(state);
  await state.start();
  return { state, client };
}

const record = (id: string, project = 'shop', fields = {}): DeploymentRecord =>
  createDeploymentRecord(project, entry({ id, ...fields }));
const next = (before: DeploymentRecord, message = 'continues'): DeploymentRecord =>
  updateDeploymentRecord(before, later(1), { phase: 'applying' }, [{ message }]);
const open = (state: ConfigMapState, id: string, project = 'shop'): Promise<void> =>
  state.changeLedger(project, (ledger) => ({ ledger: opened(ledger, application({ id })), result: undefined }));
const idsOf = ({ open: entries }: ProjectLedger): string[] => entries.map(({ id }) => id);
const textAt = (name: string, key: string): string => {
  const data = server.objects.get(`${namespace}/${name}`)?.['data'] as Record<string, string>;
  return data[key] ?? '';
};
/** Truncates the contents of an object, as after an incomplete write. */
async function truncate(name: string, key: string): Promise<void> {
  const { metadata, apiVersion, kind } = server.objects.get(`${namespace}/${name}`) ?? {};
  const data = { [key]: textAt(name, key).slice(0, -5) };
  await server.write('replace', { apiVersion, kind, metadata, data } as never);
}

describe('the ledger of a project', () => {
  test('is visible to the writing process at once, and to others when they receive the event', async () => {
    const [one, two] = [await process(), await process()];
    two.client.hold();
    await open(one.state, 'first');
    expect([idsOf(one.state.ledger('shop')), idsOf(two.state.ledger('shop'))]).toEqual([['first'], []]);
    two.client.deliver();
    expect(idsOf(two.state.ledger('shop'))).toEqual(['first']);
    expect(two.state.projects()).toEqual(['shop']);
  });

  test('includes concurrent writes: the change is computed again on the latest version', async () => {
    const [one, two] = [await process(), await process()];
    await open(one.state, 'first');
    two.client.hold();
    await open(one.state, 'second');
    const seen: string[][] = [];
    const result = await two.state.changeLedger('shop', (ledger) => {
      seen.push(idsOf(ledger));
      return { ledger: opened(ledger, application({ id: 'third' })), result: seen.length };
    });
    expect([seen, result]).toEqual([[['first'], ['first', 'second']], 2]);
    expect(idsOf(two.state.ledger('shop'))).toEqual(['first', 'second', 'third']);
  });

  test('keeps both changes of two processes that create it at the same time', async () => {
    const [one, two] = [await process(), await process()];
    await Promise.all([open(one.state, 'first'), open(two.state, 'second')]);
    expect(idsOf(one.state.ledger('shop')).sort()).toEqual(['first', 'second']);
  });

  test('is not written if a change has no effect', async () => {
    const { state } = await process();
    expect(await state.changeLedger('shop', () => ({ result: 'nothing' }))).toBe('nothing');
    expect(server.objects.size).toBe(0);
  });

  test('fails if others keep writing first', async () => {
    const { state } = await process();
    let tries = 0;
    server.beforeWrite = () => {
      tries += 1;
      throw new ApiError(409, 'Conflict', 'was modified');
    };
    await expect(open(state, 'first')).rejects.toMatchObject({ status: 409 });
    expect(tries).toBe(20);
  });

  test('reports any other error to the caller, and writes nothing', async () => {
    const { state } = await process();
    server.beforeWrite = () => {
      throw new ApiError(0, 'Unreachable', 'connection refused');
    };
    await expect(open(state, 'first')).rejects.toMatchObject({ reason: 'Unreachable' });
    await expect(state.changeLedger('shop', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(server.objects.size).toBe(0);
  });

  test('is not treated as empty if it is corrupt, and is never overwritten', async () => {
    const { state } = await process();
    await open(state, 'first');
    await truncate('ledger-shop', 'ledger');
    expect(() => state.ledger('shop')).toThrow(/^ConfigMap ledger-shop has no ledger/);
    await expect(open(state, 'second')).rejects.toThrow(/^ConfigMap ledger-shop has no ledger/);
    expect(textAt('ledger-shop', 'ledger')).toMatch(/^{"sequence":2,/);
  });

  test('does not hide other ledgers if it is corrupt: their active deployments are known', async () => {
    const { state } = await process();
    await open(state, 'first');
    await open(state, 'second', 'search');
    await state.save(record('third', 'news'), undefined);
    await truncate('ledger-shop', 'ledger');
    const known = state.projects().map((project) => [project, state.inProgress(project).map(({ id }) => id)]);
    expect(Object.fromEntries(known)).toEqual({ shop: [], search: ['second'], news: ['third'] });
  });

  test('contains each deployment once and in one order when many processes write with delayed events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ by: fc.nat(2), receivesEvents: fc.boolean(), ends: fc.boolean() }), { maxLength: 30 }),
        async (steps) => {
          server = new InMemoryCluster();
          const processes = [await process(), await process(), await process()];
          await Promise.all(
            steps.map(async ({ by, receivesEvents, ends }, index) => {
              const one = processes[by] as Process;
              if (receivesEvents) one.client.deliver();
              else one.client.hold();
              await open(one.state, `deployment-${index}`);
              if (ends)
                await one.state.changeLedger('shop', (ledger) => ({
                  ledger: closed(ledger, `deployment-${index}`, requestedAt, true),
                  result: undefined,
                }));
            }),
          );
          for (const { client } of processes) client.deliver();
          const expected = steps.flatMap(({ ends }, index) => (ends ? [] : [`deployment-${index}`]));
          for (const { state } of processes) {
            const { open: active, sequence } = state.ledger('shop');
            expect(active.map(({ id }) => id).sort()).toEqual([...expected].sort());
            expect(sequence).toBe(2 * steps.length);
            const order = active.map((each) => each.sequence);
            expect(order).toEqual([...order].sort((a, b) => a - b));
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('a deleted ledger', () => {
  /** Admits a deployment and starts it. */
  async function begin(state: ConfigMapState, id: string): Promise<void> {
    await open(state, id);
    const admitted = state.ledger('shop').open.find((one) => one.id === id) as LedgerEntry;
    await state.save(next(createDeploymentRecord('shop', admitted)), undefined);
  }
  const deleteLedger = (): void => server.remove(`${namespace}/ledger-shop`);
  const sequences = (state: ConfigMapState): number[] => state.ledger('shop').open.map(({ sequence }) => sequence);

  test('is rebuilt from the records: active deployments continue, and numbering continues after them', async () => {
    const { state } = await process();
    for (const id of ['first', 'second']) await begin(state, id);
    deleteLedger();
    expect([idsOf(state.ledger('shop')), state.projects()]).toEqual([['first', 'second'], ['shop']]);
    await open(state, 'third');
    expect([idsOf(state.ledger('shop')), sequences(state)]).toEqual([
      ['first', 'second', 'third'],
      [2, 4, 6],
    ]);
    expect(textAt('ledger-shop', 'ledger')).toMatch(/^{"sequence":6,/);
  });

  test('is detected by a process that starts later', async () => {
    const { state } = await process();
    await begin(state, 'first');
    deleteLedger();
    const later = await process();
    expect([later.state.projects(), idsOf(later.state.ledger('shop'))]).toEqual([['shop'], ['first']]);
  });

  test('assigns no number twice, even if the rebuilding process sees writes late', async () => {
    const [one, two] = [await process(), await process()];
    await begin(one.state, 'first');
    two.client.hold();
    await begin(one.state, 'second');
    deleteLedger();
    await open(two.state, 'third');
    two.client.deliver();
    expect([sequences(one.state), sequences(two.state)]).toEqual([
      [2, 4, 6],
      [2, 4, 6],
    ]);
  });

  test('is rebuilt by one of two concurrent processes', async () => {
    const [one, two] = [await process(), await process()];
    await begin(one.state, 'first');
    deleteLedger();
    await Promise.all([open(one.state, 'second'), open(two.state, 'third')]);
    expect(sequences(one.state)).toEqual([2, 4, 6]);
  });
});

describe('the record of a deployment', () => {
  test('is stored, changed and deleted, and listeners are notified of each change with its project', async () => {
    const { state } = await process();
    const received: string[] = [];
    const end = state.onChange(({ project, record: one }) =>
      received.push(`${project} ${one?.deployment.phase ?? 'no record'}`),
    );
    const first = record('one');
    await state.save(first, undefined);
    expect(state.record('one')).toEqual(first);
    await state.save(next(first), first);
    await state.deleteRecord('one');
    expect(state.record('one')).toBeUndefined();
    await open(state, 'two');
    end();
    await open(state, 'three');
    expect(received).toEqual(['shop pending', 'shop applying', 'shop applying', 'shop no record']);
  });

  test('is not overwritten with an outdated version', async () => {
    const [one, two] = [await process(), await process()];
    const first = record('one');
    await one.state.save(first, undefined);
    two.client.hold();
    await one.state.save(next(first, 'of one'), first);
    // It has not seen the other's write, so the server rejects it; after that it is up to date.
    await expect(two.state.save(next(first, 'of two'), first)).rejects.toThrow(WriteConflictError);
    expect(two.state.record('one')?.events.at(-1)?.message).toBe('of one');
    await expect(two.state.save(next(first, 'of two'), first)).rejects.toThrow(WriteConflictError);
    expect(one.state.record('one')?.events.at(-1)?.message).toBe('of one');
  });

  test('is started by one of two processes, and not by one that still assumes the old version', async () => {
    const [one, two] = [await process(), await process()];
    const first = record('one');
    two.client.hold();
    await one.state.save(first, undefined);
    await expect(two.state.save(first, undefined)).rejects.toThrow(WriteConflictError);
    await one.state.deleteRecord('one');
    await expect(one.state.save(next(first), first)).rejects.toThrow('the record of deployment one was deleted');
    await expect(two.state.save(next(first), first)).rejects.toThrow(WriteConflictError);
    expect(server.objects.size).toBe(0);
  });

  test('passes on any other API server error', async () => {
    const { state } = await process();
    server.beforeWrite = () => {
      throw new ApiError(403, 'Forbidden', 'no');
    };
    await expect(state.save(record('one'), undefined)).rejects.toMatchObject({ status: 403 });
  });

  test('is ignored if it is corrupt, and the others stay available', async () => {
    const { state } = await process();
    for (const id of ['one', 'two']) await state.save(record(id), undefined);
    await truncate('deployment-one', 'record');
    expect(state.record('one')).toBeUndefined();
    expect(state.records().map(({ deployment }) => deployment.id)).toEqual(['two']);
  });

  test('is found by its project, even if project names are long and similar', async () => {
    const { state } = await process();
    const long = (end: string): string => `${'p'.repeat(70)}-${end}`;
    const projects = ['shop', 'shop-2', long('one'), long('two')];
    for (const project of projects) await state.save(record(`of-${project}`, project), undefined);
    for (const project of projects)
      expect(state.records(project).map(({ deployment }) => deployment.project)).toEqual([project]);
    expect(state.records()).toHaveLength(4);
    expect(state.records('none')).toEqual([]);
  });
});

describe('an approval', () => {
  const approval = (by: string, stage = 'prod') => ({
    artifact: 'shop/web@1.0.0',
    stage,
    digest: digestOf('1.0.0'),
    approvedBy: { subject: by, issuer: 'https://login.example.com' },
    approvedAt: requestedAt,
  });

  const approvers = (state: ConfigMapState, version = '1.0.0', stage = 'prod') =>
    state.approvals(digestOf(version), stage).map(({ approvedBy }) => approvedBy.subject);

  test('is for one artifact and one stage, and counts once for each approver', async () => {
    const [one, two] = [await process(), await process()];
    two.client.hold();
    expect(await one.state.approve('shop', { ...approval('mia'), groups: ['leads'] })).toEqual(approval('mia'));
    // The other process has not seen the first approval.
    expect(await two.state.approve('shop', approval('ben'))).toEqual(approval('ben'));
    const later = { ...approval('mia'), groups: ['leads'], approvedAt: '2027-01-01T00:00:00.000Z' };
    expect(await two.state.approve('shop', later)).toEqual(approval('mia'));
    expect(approvers(two.state)).toEqual(['mia', 'ben']);
    expect(two.state.approvals(digestOf('1.0.0'), 'prod')[0]?.groups).toEqual(['leads']);
    expect(approvers(one.state, '1.0.0', 'test')).toEqual([]);
    expect(approvers(one.state, '1.0.1')).toEqual([]);
  });

  test('of an earlier version of the service counts, and others are stored beside it', async () => {
    const { state, client } = await process();
    await state.approve('shop', approval('mia'));
    const [stored] = [...server.objects.values()].filter(({ metadata }) => metadata.name.startsWith('approval-'));
    const { approvals: _, ...data } = stored?.['data'] as Record<string, string>;
    await client.update({ ...stored, data } as never);
    expect(approvers(state)).toEqual(['mia']);
    await state.approve('shop', approval('ben'));
    expect(approvers(state)).toEqual(['mia', 'ben']);
  });

  test('of a caller with other groups than before replaces the one before', async () => {
    const { state } = await process();
    await state.approve('shop', approval('mia'));
    await state.approve('shop', { ...approval('mia'), groups: ['leads'] });
    expect(state.approvals(digestOf('1.0.0'), 'prod')).toEqual([{ ...approval('mia'), groups: ['leads'] }]);
  });

  test('is refused when a version has too many', async () => {
    const { state } = await process();
    for (let index = 0; index < 16; index++) await state.approve('shop', approval(`user-${index}`));
    await expect(state.approve('shop', approval('mia'))).rejects.toThrow('has 16 approvals already');
    expect(await state.approve('shop', approval('user-3'))).toEqual(approval('user-3'));
  });

  test('that cannot be written is reported', async () => {
    const { state } = await process();
    server.beforeWrite = () => {
      throw new ApiError(500, 'InternalError', 'etcd');
    };
    await expect(state.approve('shop', approval('mia'))).rejects.toMatchObject({ status: 500 });
  });
});

test('writes of another process before the start are available after it', async () => {
  const one = await process();
  await open(one.state, 'first');
  await one.state.save(record('first'), undefined);
  const two = await process();
  expect(two.state.hasSynced()).toBe(true);
  expect([idsOf(two.state.ledger('shop')), two.state.record('first')?.deployment.id]).toEqual([['first'], 'first']);
});
