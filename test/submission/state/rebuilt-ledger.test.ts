import fc from 'fast-check';
import { type Phase } from '../../../lib/contract';
import {
  createDeploymentRecord,
  updateDeploymentRecord,
  type DeploymentRecord,
} from '../../../lib/submission/state/deployment-record';
import {
  closed,
  emptyLedger,
  opened,
  conflicts,
  readLedger,
  type LedgerEntry,
  type ProjectLedger,
} from '../../../lib/submission/state/project-ledger';
import { rebuiltLedger } from '../../../lib/submission/state/rebuilt-ledger';
import { application, later } from './ledger-fixture';

const workloads = [{ kind: 'PinterestService', name: 'web', change: 'changed', applied: true, ready: false }] as const;

/** Returns the record of a deployment in a phase. */
function recordOf(entry: LedgerEntry, phase: Phase, endedAt?: string): DeploymentRecord {
  const started = createDeploymentRecord('shop', entry);
  const targets = started.deployment.targets.map((one) => ({ ...one, workloads: [...workloads] }));
  return updateDeploymentRecord(started, later(1), { phase, targets, ...(endedAt !== undefined && { endedAt }) });
}

test('without records the ledger is empty', () => {
  expect(rebuiltLedger([])).toEqual(emptyLedger);
});

test('an active deployment continues unchanged, and blocks other deployments of its workloads', () => {
  const ledger = opened(emptyLedger, application({ breakGlass: 'the shop is down', commit: 'abc', review: 'r' }));
  const [entry] = ledger.open as [LedgerEntry];
  const rebuilt = rebuiltLedger([recordOf(entry, 'progressing')]);
  expect(rebuilt).toEqual({ ...ledger, open: [{ ...entry, asks: { main: { 'PinterestService/web': {} } } }] });
  const [rebuiltEntry] = rebuilt.open as [LedgerEntry];
  expect(conflicts(rebuiltEntry, { ...entry, id: 'other', workflow: 'other' })).toBe(true);
  expect(rebuiltLedger([recordOf(entry, 'queued')]).open).toMatchObject([{ waits: true }]);
});

test('for any history, numbers continue after all started deployments, and rollback candidates are the same', () => {
  const step = fc.record({
    stage: fc.nat(1),
    version: fc.nat(3),
    phase: fc.constantFrom<Phase>('ready', 'failed', 'rolledBack', 'superseded', 'cancelled', 'progressing', 'queued'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 30 }), (steps, shuffle) => {
      let ledger: ProjectLedger = emptyLedger;
      const records: DeploymentRecord[] = [];
      for (const [index, { stage, version, phase }] of steps.entries()) {
        const [id, at] = [`deployment-${index}`, later(index)];
        const waits = phase === 'queued';
        ledger = opened(ledger, application({ id, version: `1.${version}.0`, stage: `stage-${stage}`, waits }));
        const entry = ledger.open.at(-1) as LedgerEntry;
        const isOpen = phase === 'progressing' || waits;
        if (!isOpen) ledger = closed(ledger, id, at, phase === 'ready');
        records.push(recordOf(entry, phase, isOpen ? undefined : at));
      }
      const order = records.map((record, index) => [shuffle[index] ?? index, record] as const);
      const rebuilt = rebuiltLedger(order.sort(([a], [b]) => a - b).map(([, record]) => record));
      expect(rebuilt.sequence).toBe(ledger.sequence);
      expect(rebuilt.histories).toEqual(ledger.histories);
      expect(rebuilt.open.map(({ asks: _, ...one }) => one)).toEqual(ledger.open.map(({ asks: _, ...one }) => one));
      expect(rebuilt.ended.map(({ id, sequence, at }) => [id, sequence, at])).toEqual(
        ledger.ended.map(({ id, sequence, at }) => [id, sequence, at]),
      );
      expect(readLedger(JSON.stringify(rebuilt))).toEqual(rebuilt);
    }),
    { numRuns: 60 },
  );
});

test('pruned records change nothing: the newest record defines the number', () => {
  let ledger: ProjectLedger = emptyLedger;
  for (const id of ['one', 'two', 'three']) ledger = opened(ledger, application({ id, version: id }));
  const newest = ledger.open.at(-1) as LedgerEntry;
  const rebuilt = rebuiltLedger([recordOf(newest, 'ready', later(1))]);
  expect(opened(rebuilt, application({ id: 'four' })).open).toMatchObject([{ id: 'four', sequence: 8 }]);
});
