import { type FreeNode } from '../../../lib/controller/conduct/conducted';
import { GangClaims } from '../../../lib/controller/conduct/gang-claims';
import { type LiveObject } from '../../../lib/kube';

const free: readonly FreeNode[] = [{ name: 'node-0', labels: {}, taints: [], free: { cpu: 1000, pods: 10 } }];
const record = { restarts: 0, succeeded: {}, failed: {} };

/** A training job as its status tells of it. */
const job = (name: string, phase: 'waiting' | 'starting' | 'started', metadata: object = {}): LiveObject => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestTrainingJob',
  metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1', ...metadata },
  status: { gang: { phase, since: '2026-01-01T00:00:00Z', attempts: 0 } },
});

const stores = (...documents: readonly LiveObject[]) => ({ room: () => free, documents: () => documents });
const key = (name: string) => `PinterestTrainingJob/shop/${name}`;

describe('room for a gang', () => {
  test.each(['waiting', 'starting'] as const)('is unknown while another one is %s and had no pass yet', (phase) => {
    const claims = new GangClaims();
    const both = stores(job('one', 'waiting'), job('other', phase));
    expect(claims.roomFor(key('one'), record, both)).toBeUndefined();
    claims.note(key('other'), { record });
    expect(claims.roomFor(key('one'), record, both)).toEqual(free);
  });

  test('does not stay unknown for one that cannot be conducted, nor for one that is being deleted', () => {
    const claims = new GangClaims();
    const broken = stores(job('one', 'waiting'), job('broken', 'starting'));
    claims.pass(key('broken'));
    expect(claims.roomFor(key('one'), record, broken)).toEqual(free);
    const leaving = stores(job('leaving', 'starting', { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect(claims.roomFor(key('one'), record, leaving)).toEqual(free);
  });

  test('does not wait for a pass over another one whose members all run', () => {
    expect(new GangClaims().roomFor(key('one'), record, stores(job('other', 'started')))).toEqual(free);
  });
});
