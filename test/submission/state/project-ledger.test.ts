import fc from 'fast-check';
import {
  admitted,
  aliased,
  aliasOf,
  bytesOf,
  closed,
  emptyLedger,
  endedRecently,
  stageHistoryOf,
  maxLedgerBytes,
  neededDigests,
  opened,
  conflicts,
  readLedger,
  type ProjectLedger,
} from '../../../lib/submission/state/project-ledger';
import { application, requestedAt, digestOf, entry, later, ledgerOf } from './ledger-fixture';

const webInProd = { workflow: 'web', stage: 'prod' };
const versionsOf = (ledger: ProjectLedger): string[] =>
  stageHistoryOf(ledger, webInProd).ready.map(({ version }) => version);

describe('the numbering of a project', () => {
  test('leaves a number between two deployments for a rollback of the first one', () => {
    const { open, sequence } = ledgerOf({ id: 'one' }, { id: 'two', stage: 'test' });
    expect(open.map((one) => [one.id, one.sequence])).toEqual([
      ['one', 2],
      ['two', 4],
    ]);
    expect(sequence).toBe(4);
  });

  test('continues after all deployments have ended', () => {
    const ended = closed(ledgerOf({ id: 'one' }), 'one', later(10), false);
    expect(opened(ended, application({ id: 'two' })).open.map(({ sequence }) => sequence)).toEqual([4]);
  });

  test('includes the last started deployment of a workflow and stage, regardless of its result', () => {
    const ledger = ledgerOf({ id: 'one' }, { id: 'two', stage: 'test' }, { id: 'three', version: '1.1.0' });
    const ended = closed(ledger, 'three', later(10), false);
    expect([
      stageHistoryOf(ended, webInProd).last,
      stageHistoryOf(ended, { ...webInProd, stage: 'test' }).last,
    ]).toEqual(['three', 'two']);
  });
});

describe('a deployment that ends', () => {
  test('becomes the first of the Ready ones, with each artifact once', () => {
    let ledger = ledgerOf({ id: 'one' }, { id: 'two', version: '1.1.0' }, { id: 'three' });
    for (const id of ['one', 'two', 'three']) ledger = closed(ledger, id, later(10), true);
    expect(versionsOf(ledger)).toEqual(['1.0.0', '1.1.0']);
    expect(stageHistoryOf(ledger, webInProd).ready[0]).toEqual({
      id: 'three',
      version: '1.0.0',
      digest: digestOf('1.0.0'),
      sequence: 6,
      readyAt: later(10),
    });
  });

  test('keeps fewer rollback candidates for very many workflows and stages, so that a thousand fit', () => {
    let ledger: ProjectLedger = emptyLedger;
    for (let round = 0; round < 5; round++)
      for (let index = 0; index < 1_000; index++) {
        const [id, version] = [`${'x'.repeat(16)}${round}${index}`, `1.${round}.0`];
        const workflow = `a-workflow-of-a-large-project-${index}`;
        // As in such a project, the deployments end one after the other.
        ledger = closed(
          opened({ ...ledger, ended: [] }, application({ id, version, workflow })),
          id,
          later(round),
          true,
        );
      }
    expect(ledger.histories['a-workflow-of-a-large-project-999/prod']?.ready.map(({ version }) => version)).toEqual([
      '1.4.0',
      '1.3.0',
      '1.2.0',
    ]);
    expect(bytesOf(ledger)).toBeLessThan(maxLedgerBytes);
  });

  test('keeps the previous Ready versions if it did not become Ready', () => {
    const ledger = closed(ledgerOf({ id: 'one' }, { id: 'two', version: '1.1.0' }), 'one', later(1), true);
    expect(versionsOf(closed(ledger, 'two', later(2), false))).toEqual(['1.0.0']);
  });

  test('keeps its reservation until every cache has seen the end, and no longer', () => {
    const first = closed(ledgerOf({ id: 'one' }, { id: 'two' }, { id: 'three' }), 'one', later(0), true);
    expect(first.ended).toMatchObject([{ id: 'one', sequence: 2, asks: application().asks }]);
    const second = closed(first, 'two', later(59), true);
    expect(second.ended.map(({ id }) => id)).toEqual(['one', 'two']);
    expect(closed(second, 'three', later(60), true).ended.map(({ id }) => id)).toEqual(['two', 'three']);
    const [one] = first.ended;
    expect([59_999, 60_000].map((more) => one && endedRecently(one, Date.parse(requestedAt) + more))).toEqual([
      true,
      false,
    ]);
  });

  test('reserves nothing if it was never admitted, and everything if it was', () => {
    const waiting = ledgerOf({ id: 'one', waits: true });
    expect(closed(waiting, 'one', later(1), false).ended).toMatchObject([{ id: 'one', asks: {} }]);
    expect(closed(admitted(waiting, 'one'), 'one', later(1), false).ended).toMatchObject([
      { id: 'one', asks: application().asks },
    ]);
  });

  test('ends once: a ledger in which it is not active stays identical', () => {
    const ledger = closed(ledgerOf({ id: 'one' }), 'one', later(1), true);
    expect(closed(ledger, 'one', later(2), false)).toBe(ledger);
  });

  test('releases an artifact that is no longer a rollback candidate', () => {
    let ledger: ProjectLedger = emptyLedger;
    const versions = Array.from({ length: 12 }, (_, index) => `1.${index}.0`);
    for (const version of versions) {
      ledger = opened(ledger, application({ id: version, version }));
      expect(neededDigests(ledger, webInProd)).toContain(digestOf(version));
      ledger = closed(ledger, version, later(1), true);
    }
    expect(versionsOf(ledger)).toEqual(versions.slice(2).reverse());
    expect(neededDigests(ledger, webInProd)).toEqual(versions.slice(2).reverse().map(digestOf));
    expect(neededDigests(ledger, { ...webInProd, stage: 'test' })).toEqual([]);
  });
});

describe('keys that return the deployment of another key', () => {
  const ledgerWithAliases = (count: number): ProjectLedger =>
    Array.from({ length: count }, (_, index) => ({ id: `key-${index}`, request: 'r', deployment: 'one' })).reduce(
      aliased,
      emptyLedger,
    );

  test('are kept up to 256, and the oldest are dropped first', () => {
    expect(aliasOf(ledgerWithAliases(256), 'key-0')).toMatchObject({ deployment: 'one' });
    const full = ledgerWithAliases(300);
    expect(full.aliases).toHaveLength(256);
    expect([aliasOf(full, 'key-43'), aliasOf(full, 'key-44')]).toMatchObject([undefined, { deployment: 'one' }]);
  });

  test("take a small part of the ledger's size limit, even with maximum length", () => {
    const alias = { id: 'f'.repeat(20), request: 'f'.repeat(64), deployment: 'f'.repeat(20) };
    const full = Array.from({ length: 256 }, () => alias).reduce(aliased, emptyLedger);
    expect(bytesOf(full)).toBeLessThan(50_000);
  });
});

describe('two deployments', () => {
  const asks = (...workloads: readonly string[]) => ({
    main: Object.fromEntries(workloads.map((name) => [name, { pods: '1' }])),
  });

  test.each([
    ['of the same workflow and stage, regardless of their workloads', entry({ asks: {} }), entry({ asks: {} }), true],
    ['of two stages with one workload on one cluster', entry(), entry({ stage: 'test' }), true],
    [
      'of two workflows that share one of several workloads',
      entry({ asks: asks('PinterestService/a', 'PinterestService/b') }),
      entry({ workflow: 'other', asks: asks('PinterestService/b', 'PinterestService/c') }),
      true,
    ],
    [
      'of two workflows with the same name of another kind',
      entry({ asks: asks('PinterestService/a') }),
      entry({ workflow: 'other', asks: asks('PinterestCronJob/a') }),
      false,
    ],
    [
      'of the same workload on two clusters',
      entry({ stage: 'test', asks: { other: { 'PinterestService/web': { pods: '1' } } } }),
      entry(),
      false,
    ],
  ])('%s: the first one runs first %#', (_, a, b, expected) => {
    expect([conflicts(a, b), conflicts(b, a)]).toEqual([expected, expected]);
  });
});

describe('a serialized ledger', () => {
  const full = aliased(
    closed(
      ledgerOf(
        { id: 'one' },
        { id: 'two', breakGlass: 'the shop is down', commit: 'abc', review: 'https://r.example.com/1' },
      ),
      'one',
      later(5),
      true,
    ),
    { id: 'key', request: 'r', deployment: 'two' },
  );

  test('is parsed to the same ledger', () => {
    expect(readLedger(JSON.stringify(full))).toEqual(full);
    expect(bytesOf(full)).toBe(Buffer.byteLength(JSON.stringify(full)));
  });

  test('is invalid if it is truncated at any point', () => {
    const text = JSON.stringify(full);
    fc.assert(fc.property(fc.nat(text.length - 1), (end) => expect(readLedger(text.slice(0, end))).toBeUndefined()));
  });

  test.each([
    ['an empty text', undefined],
    ['a value that is not an object', '[]'],
    ['no sequence number', '{"open":[],"ended":[],"histories":{}}'],
    ['a fractional number', '{"sequence":1.5,"open":[],"ended":[],"histories":{}}'],
    ['an entry without its digest', JSON.stringify({ ...full, open: [{ ...full.open[0], digest: undefined }] })],
  ])('is invalid with %s', (_, text) => {
    expect(readLedger(text)).toBeUndefined();
  });

  test('of an earlier version without aliases has none', () => {
    expect(readLedger('{"sequence":8,"open":[],"ended":[],"histories":{}}')).toEqual({ ...emptyLedger, sequence: 8 });
  });
});

test('for any sequence of changes, numbers never decrease and no deployment is lost or duplicated', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('open' as const), version: fc.nat(4), stage: fc.nat(1), waits: fc.boolean() }),
    fc.record({ do: fc.constant('close' as const), which: fc.nat(20), ready: fc.boolean(), seconds: fc.nat(90) }),
    fc.record({ do: fc.constant('admit' as const), which: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let ledger: ProjectLedger = emptyLedger;
      let [highest, seconds, count] = [0, 0, 0];
      const openIds = new Set<string>();
      for (const one of steps) {
        const which = 'which' in one ? ledger.open[one.which % Math.max(1, ledger.open.length)]?.id : undefined;
        if (one.do === 'open') {
          const id = `deployment-${(count += 1)}`;
          openIds.add(id);
          const { version, stage, waits } = one;
          ledger = opened(ledger, application({ id, version: `1.${version}.0`, stage: `stage-${stage}`, waits }));
          expect(ledger.open.at(-1)?.sequence).toBeGreaterThan(highest + 1);
          highest = ledger.sequence;
        } else if (which !== undefined && one.do === 'admit') {
          ledger = admitted(ledger, which);
          expect(ledger.open.find(({ id }) => id === which)?.waits).toBe(false);
        } else if (which !== undefined && one.do === 'close') {
          openIds.delete(which);
          seconds += one.seconds;
          ledger = closed(ledger, which, later(seconds), one.ready);
          expect(
            ledger.ended.every((ended) => ended.id === which || endedRecently(ended, Date.parse(later(seconds)))),
          ).toBe(true);
        }
        expect(ledger.sequence).toBe(highest);
        expect(ledger.open.map(({ id }) => id)).toEqual([...openIds]);
        for (const { ready } of Object.values(ledger.histories)) {
          expect(new Set(ready.map(({ digest }) => digest)).size).toBe(ready.length);
          expect(ready.length).toBeLessThanOrEqual(10);
        }
        expect(readLedger(JSON.stringify(ledger))).toEqual(ledger);
      }
    }),
    { numRuns: 60 },
  );
});
