import { metadataKeys } from '../../../lib/api';
import { type LiveObject } from '../../../lib/kube';
import { reservedOn } from '../../../lib/submission/engine/reservations';
import { closed, type LedgerEntry, type ProjectLedger } from '../../../lib/submission/state/project-ledger';
import { requestedAt, entry, ledgerOf } from '../state/ledger-fixture';
import { InMemoryTarget } from './in-memory-target';

const now = Date.parse(requestedAt);
const web = 'PinterestService/web';
const cpu = (amount: string, workload = web) => ({ main: { [workload]: { 'requests.cpu': amount } } });

let target: InMemoryTarget;
beforeEach(() => (target = new InMemoryTarget('main')));
const reserved = (ledger: ProjectLedger, queuedEntry?: LedgerEntry, at = now) =>
  reservedOn(ledger, target, 'shop', at, queuedEntry);
const setAppliedSequence = (sequence: number): void => {
  const metadata = {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    annotations: { [metadataKeys.deploymentSequence]: `${sequence}` },
  };
  target.liveObjects.set(`shop/${web}`, {
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestService',
    metadata,
  } as LiveObject);
};

test('all active and queued deployments count, and per workload the largest of their requests', () => {
  const ledger = ledgerOf(
    { id: 'one', asks: { main: { [web]: { 'requests.cpu': '900m', pods: '3' } }, other: { [web]: { pods: '9' } } } },
    { id: 'two', asks: cpu('1') },
    { id: 'three', waits: true, asks: cpu('2', 'PinterestCronJob/web') },
  );
  expect(reserved(ledger)).toEqual({
    [web]: { 'requests.cpu': '1', pods: '3' },
    'PinterestCronJob/web': { 'requests.cpu': '2' },
  });
});

test('an ended deployment counts until the cache shows what it applied, for at most a minute', () => {
  const ledger = closed(ledgerOf({ id: 'one', asks: cpu('4') }), 'one', requestedAt, true);
  expect(reserved(ledger)).toEqual({ [web]: { 'requests.cpu': '4' } });
  setAppliedSequence(1);
  expect(reserved(ledger)).toEqual({ [web]: { 'requests.cpu': '4' } });
  setAppliedSequence(2);
  expect(reserved(ledger)).toEqual({});
  target.liveObjects.clear();
  expect([reserved(ledger, undefined, now + 59_999), reserved(ledger, undefined, now + 60_000)]).toEqual([
    { [web]: { 'requests.cpu': '4' } },
    {},
  ]);
});

test('an active deployment counts even if it is Ready: it may be rolled back', () => {
  setAppliedSequence(2);
  expect(reserved(ledgerOf({ id: 'one', asks: cpu('4') }))).toEqual({ [web]: { 'requests.cpu': '4' } });
});

test('a queued one comes after those that waited longer, and before later ones', () => {
  const ledger = ledgerOf(
    { id: 'first', waits: true, asks: cpu('1', 'PinterestService/a') },
    { id: 'second', waits: true, asks: cpu('2', 'PinterestService/b') },
    { id: 'runs', asks: cpu('4', 'PinterestService/c') },
  );
  const [first, second] = ledger.open as [LedgerEntry, LedgerEntry];
  expect(Object.keys(reserved(ledger, first))).toEqual(['PinterestService/c']);
  expect(Object.keys(reserved(ledger, second))).toEqual(['PinterestService/a', 'PinterestService/c']);
  expect(Object.keys(reserved(ledger, entry({ id: 'new', sequence: 99, waits: true })))).toHaveLength(3);
});

test('an invalid quantity yields to a valid one', () => {
  const ledger = ledgerOf({ id: 'one', asks: cpu('many') }, { id: 'two', asks: cpu('1') });
  expect(reserved(ledger)).toEqual({ [web]: { 'requests.cpu': '1' } });
  expect(reserved(ledgerOf({ id: 'one', asks: cpu('1') }, { id: 'two', asks: cpu('many') }))).toEqual({
    [web]: { 'requests.cpu': '1' },
  });
});
