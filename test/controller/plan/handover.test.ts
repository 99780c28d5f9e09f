import { type KubernetesObject } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { applied, deployment, describePlan, object, owner, planned, withStatus } from './plan-fixture';

const base = deployment({ replicas: 3 });
/** Returns the Deployment of a variant. */
const variant = (name: string, spec: object = { replicas: 1 }): KubernetesObject => ({
  ...deployment(spec),
  metadata: { ...base.metadata, name: `web-${name}` },
});
const available = (live: LiveObject | undefined, count: number): LiveObject =>
  withStatus(live as LiveObject, { observedGeneration: 1, replicas: count, availableReplicas: count });
/** Returns the live objects, each with a number of available pods. */
const live = (...entries: readonly (readonly [KubernetesObject, number])[]): LiveObject[] =>
  entries.map(([one, count]) => available(applied([one])[0], count));

describe('a Deployment that others replace', () => {
  test('stays until each of them has its pods available', () => {
    const desired = [variant('v1'), variant('v2', { replicas: 2 })];
    expect(describePlan(planned(desired, live([base, 3])))).toEqual([
      'created Deployment/web-v1',
      'created Deployment/web-v2',
      'waits',
    ]);
    const during = live([base, 3], [variant('v1'), 1], [variant('v2', { replicas: 2 }), 1]);
    expect(describePlan(planned(desired, during))).toEqual(['waits']);
    const after = live([base, 3], [variant('v1'), 1], [variant('v2', { replicas: 2 }), 2]);
    expect(describePlan(planned(desired, after))).toEqual(['unwanted Deployment/web Foreground']);
  });

  test('of one more pod than before stays until that is available', () => {
    const scaled = variant('v1', { replicas: 2 });
    const before = live([base, 3], [variant('v1'), 1]);
    expect(describePlan(planned([scaled], before))).toEqual(['changed Deployment/web-v1', 'waits']);
  });

  test('stays until an autoscaler has raised them to their minimum, because they start with one pod', () => {
    const scaled = variant('v1', {});
    const autoscaler = object('HorizontalPodAutoscaler', 'web-v1', {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web-v1' }, minReplicas: 3 },
    });
    const [liveAutoscaler] = applied([autoscaler]);
    const withPods = (count: number) => [...live([base, 3], [scaled, count]), liveAutoscaler as LiveObject];
    expect(describePlan(planned([scaled, autoscaler], withPods(1)))).toEqual(['waits']);
    expect(describePlan(planned([scaled, autoscaler], withPods(3)))).toEqual(['unwanted Deployment/web Foreground']);
  });

  test('is removed at once if it has no available pods, so that a broken variant can be removed', () => {
    const broken = live([variant('v1'), 0], [variant('v2'), 0]);
    expect(describePlan(planned([variant('v1')], broken))).toEqual(['unwanted Deployment/web-v2 Foreground']);
  });

  test('stays while one of them is being deleted, or has another owner', () => {
    const [old, next] = live([base, 3], [variant('v1'), 1]) as [LiveObject, LiveObject];
    const deleting = { ...next, metadata: { ...next.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } };
    expect(describePlan(planned([variant('v1')], [old, deleting]))).toEqual(['waits']);
    const labels = { ...next.metadata.labels, 'pinterest.com/workload': 'web-v1' };
    const ownerReferences = [{ ...owner, name: 'web-v1', uid: 'other' }];
    const foreign = { ...next, metadata: { ...next.metadata, labels, ownerReferences } };
    expect(describePlan(planned([variant('v1')], [old, foreign]))).toEqual(['NameConflict Deployment/web-v1', 'waits']);
  });

  test('loses its autoscaler at once, which would measure the pods of the others as well', () => {
    const autoscaler = object('HorizontalPodAutoscaler', 'web', {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 3 },
    });
    const before = [...live([base, 3], [variant('v1'), 0]), ...applied([autoscaler])];
    expect(describePlan(planned([variant('v1')], before))).toEqual([
      'unwanted HorizontalPodAutoscaler/web Background',
      'waits',
    ]);
  });
});
