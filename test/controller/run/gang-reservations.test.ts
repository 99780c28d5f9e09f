import { type FreeNode } from '../../../lib/controller/run/run-plan';
import { GangReservations } from '../../../lib/controller/run/gang-reservations';
import { type LiveObject } from '../../../lib/kube';

const free: readonly FreeNode[] = [{ name: 'node-0', labels: {}, taints: [], free: { cpu: 1000, pods: 10 } }];
const record = { restarts: 0, succeeded: {}, failed: {} };

/** A training job with a status. */
const job = (name: string, phase: 'Waiting' | 'Starting' | 'Started', metadata: object = {}): LiveObject => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestTrainingJob',
  metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1', ...metadata },
  status: { gang: { phase, since: '2026-01-01T00:00:00Z', attempts: 0 } },
});

const stores = (...resources: readonly LiveObject[]) => ({ freeNodes: () => free, resources: () => resources });
const key = (name: string) => `PinterestTrainingJob/shop/${name}`;

describe('capacity for a gang', () => {
  test.each(['Waiting', 'Starting'] as const)('is unknown while another gang is %s and not reconciled yet', (phase) => {
    const reservations = new GangReservations();
    const both = stores(job('one', 'Waiting'), job('other', phase));
    expect(reservations.freeNodesFor(key('one'), record, both)).toBeUndefined();
    reservations.track(key('other'), { record });
    expect(reservations.freeNodesFor(key('one'), record, both)).toEqual(free);
  });

  test('is known while another gang is invalid or is being deleted', () => {
    const reservations = new GangReservations();
    const invalid = stores(job('one', 'Waiting'), job('invalid', 'Starting'));
    reservations.trackUnknown(key('invalid'));
    expect(reservations.freeNodesFor(key('one'), record, invalid)).toEqual(free);
    const deleted = stores(job('deleted', 'Starting', { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect(reservations.freeNodesFor(key('one'), record, deleted)).toEqual(free);
  });

  test('is known before the reconcile of a gang whose members all run', () => {
    expect(new GangReservations().freeNodesFor(key('one'), record, stores(job('other', 'Started')))).toEqual(free);
  });
});
