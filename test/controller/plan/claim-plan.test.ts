import { AppliedCache } from '../../../lib/controller/plan/applied-cache';
import { type KubernetesObject } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { applied, labels, object, objectsIn, planned, stored, describePlan } from './plan-fixture';

describe('a StatefulSet and its claims', () => {
  const set = (
    storage: string,
    {
      name = 'data',
      className = 'disk',
      ...more
    }: { name?: string; className?: string; serviceName?: string; replicas?: number } = {},
  ) =>
    object('StatefulSet', 'db', {
      spec: {
        ...{ replicas: 2, serviceName: 'db', selector: { matchLabels: labels }, template: {}, ...more },
        volumeClaimTemplates: [
          {
            metadata: { name },
            spec: { accessModes: ['ReadWriteOnce'], storageClassName: className, resources: { requests: { storage } } },
          },
        ],
      },
    });
  const claim = (index: number, storage: string, metadata: object = {}) =>
    stored(
      object('PersistentVolumeClaim', `data-db-${index}`, {
        spec: { storageClassName: 'disk', resources: { requests: { storage } } },
      }),
      metadata,
    );
  const [live] = applied([set('1Gi')]) as [LiveObject];
  const consent = { allowLoss: new Set<'Claims' | 'Progress'>(['Claims']) };

  test('an equal size in another notation is not a change', () => {
    expect(describePlan(planned([set('1024Mi')], [live, claim(0, '1Gi')]))).toEqual(['changed StatefulSet/db']);
  });

  test('claims grow first, those of removed members too, and only their size is changed', () => {
    const { steps, waits } = planned([set('2Gi')], [live, claim(0, '1Gi'), claim(1, '2Gi'), claim(2, '1Gi')]);
    expect(steps.map((step) => step.do === 'apply' && step.object.metadata.name)).toEqual(['data-db-0', 'data-db-2']);
    expect(objectsIn({ steps })[0]?.['spec']).toEqual({
      resources: { requests: { storage: '2Gi' } },
    });
    expect(waits).toBe(true);
  });

  test('after they have grown the set is recreated around its pods', () => {
    expect(describePlan(planned([set('2Gi')], [live, claim(0, '2Gi')]))).toEqual([
      'replaced StatefulSet/db Orphan',
      'waits',
    ]);
  });

  test('a class that cannot expand is reported once, and the rest of the change continues', () => {
    const appliedCache = new AppliedCache();
    const observed = [live, claim(0, '1Gi')];
    const [growth] = objectsIn(planned([set('2Gi', { replicas: 3 })], observed, { appliedCache })) as [
      KubernetesObject,
    ];
    appliedCache.recordRejection(growth, 'only dynamically provisioned claims can be resized.');
    const after = planned([set('2Gi', { replicas: 3 })], observed, { appliedCache });
    expect(describePlan(after)).toEqual([
      'changed StatefulSet/db',
      'VolumeExpansionUnsupported PersistentVolumeClaim/data-db-0',
    ]);
    expect(after.steps[0]).toMatchObject({
      object: {
        spec: { replicas: 3, volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '1Gi' } } } }] },
      },
    });
    appliedCache.clearRejections();
    expect(describePlan(planned([set('2Gi', { replicas: 3 })], observed, { appliedCache }))).toContain(
      'changed PersistentVolumeClaim/data-db-0',
    );
  });

  test.each([
    ['smaller', set('512Mi')],
    ['in another class', set('1Gi', { className: 'tape' })],
    ['with another name', set('1Gi', { name: 'store' })],
  ])('changes to claims that would be %s wait for consent', (_, desired) => {
    const observed = [live, claim(0, '1Gi'), claim(1, '1Gi')];
    expect(describePlan(planned([desired], observed))).toEqual(['DestructiveChangeBlocked StatefulSet/db']);
    expect(describePlan(planned([desired], observed, consent))).toEqual([
      ...['replaced PersistentVolumeClaim/data-db-0 Background', 'replaced PersistentVolumeClaim/data-db-1 Background'],
      ...['replaced StatefulSet/db Foreground', 'waits'],
    ]);
  });

  test('changes that need no consent are applied once', () => {
    const desired = [set('512Mi', { replicas: 4 })];
    const { steps } = planned(desired, [live, claim(0, '1Gi')]);
    const next = objectsIn({ steps }).map((sent) => stored(sent));
    expect(next).toHaveLength(1);
    expect(describePlan(planned(desired, [...next, claim(0, '1Gi')]))).toEqual([
      'DestructiveChangeBlocked StatefulSet/db',
    ]);
  });

  test('templates without claims change without consent', () => {
    expect(describePlan(planned([set('512Mi')], [live]))).toEqual(['replaced StatefulSet/db Orphan', 'waits']);
  });

  test('another governing Service recreates the set around its pods', () => {
    expect(describePlan(planned([set('1Gi', { serviceName: 'other' })], [live]))).toEqual([
      'replaced StatefulSet/db Orphan',
      'waits',
    ]);
  });

  test('a set is not created while its claims are being deleted, and smaller retained claims grow', () => {
    const going = claim(1, '1Gi', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(describePlan(planned([set('1Gi')], [going]))).toEqual(['waits']);
    expect(describePlan(planned([set('2Gi')], [claim(0, '1Gi')]))).toEqual([
      'changed PersistentVolumeClaim/data-db-0',
      'created StatefulSet/db',
    ]);
  });
});
