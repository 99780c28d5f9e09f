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
    const claims = new GangReservations();
    const both = stores(job('one', 'Waiting'), job('other', phase));
    expect(claims.freeNodesFor(key('one'), record, both)).toBeUndefined();
    claims.track(key('other'), { record });
    expect(claims.freeNodesFor(key('one'), record, both)).toEqual(free);
  });

  test('is known beside a gang that cannot be run or is being deleted', () => {
    const claims = new GangReservations();
    const broken = stores(job('one', 'Waiting'), job('broken', 'Starting'));
    claims.trackUnknown(key('broken'));
    expect(claims.freeNodesFor(key('one'), record, broken)).toEqual(free);
    const leaving = stores(job('leaving', 'Starting', { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect(claims.freeNodesFor(key('one'), record, leaving)).toEqual(free);
  });

  test('is known before the reconcile of a gang whose members all run', () => {
    expect(new GangReservations().freeNodesFor(key('one'), record, stores(job('other', 'Started')))).toEqual(free);
  });
});
