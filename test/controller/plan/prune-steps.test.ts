import { type LiveObject } from '../../../lib/kube';
import {
  applied,
  config,
  deployment,
  labels,
  object,
  planned,
  stored,
  describePlan,
  withMetadata,
  withStatus,
} from './plan-fixture';

describe('objects that are no longer desired', () => {
  test('are removed, last created first, unless they have another owner', () => {
    const live = [
      ...applied([object('ServiceAccount', 'web'), object('Service', 'web'), deployment()]),
      stored(object('Service', 'stray')),
    ];
    expect(describePlan(planned([], live))).toEqual([
      'unwanted Deployment/web Background',
      'unwanted Service/web Background',
      'unwanted ServiceAccount/web Background',
    ]);
  });

  // One of the same name that follows sooner is given no pods for five minutes: the Job controller waits for pods of the former.
  test('a Job exists until its pods have ended', () => {
    expect(describePlan(planned([], applied([object('Job', 'train'), object('CronJob', 'train')])))).toEqual([
      'unwanted CronJob/train Background',
      'unwanted Job/train Foreground',
    ]);
  });

  test('a ConfigMap stays while older pods may refer to it', () => {
    const live = applied([config('old'), config('older')]);
    expect(describePlan(planned([], live, { inUse: (_, name) => name === 'old' }))).toEqual([
      'unwanted ConfigMap/older Background',
    ]);
  });

  test('without information about pods, a ConfigMap stays until every rollout is complete', () => {
    const [old, web] = applied([config('old'), deployment()]) as [LiveObject, LiveObject];
    const status = { observedGeneration: 1, replicas: 2, updatedReplicas: 1 };
    expect(describePlan(planned([deployment()], [old, withStatus(web, status)]))).toEqual([]);
    expect(describePlan(planned([deployment()], [old, withStatus(web, { ...status, updatedReplicas: 2 })]))).toEqual([
      'unwanted ConfigMap/old Background',
    ]);
  });

  test('a claim waits for consent, because its data would be lost', () => {
    const live = applied([object('PersistentVolumeClaim', 'a'), object('PersistentVolumeClaim', 'b')]);
    expect(planned([], live).blockingIssues).toMatchObject([
      { reason: 'DestructiveChangeBlocked', message: expect.stringContaining('1 others') as string },
    ]);
    expect(planned([], live, { allowLoss: new Set(['Claims']) }).steps).toHaveLength(2);
  });

  test('objects that outlive the custom resource have no owner, and are found by their labels', () => {
    const claim = object('PersistentVolumeClaim', 'a', { spec: { resources: { requests: { storage: '1Gi' } } } });
    const unowned = new Set(['PersistentVolumeClaim/a']);
    const live = applied([claim], { unowned });
    expect(live[0]?.metadata).not.toHaveProperty('ownerReferences');
    expect(describePlan(planned([claim], live, { unowned }))).toEqual([]);
    const labelled = { ...claim, metadata: { ...claim.metadata, labels: { ...labels, team: 'new' } } };
    expect(describePlan(planned([labelled], live, { unowned }))).toEqual(['changed PersistentVolumeClaim/a']);
    const foreign = live.map((one) => withMetadata(one, { labels: {}, annotations: {} }));
    expect(describePlan(planned([claim], foreign, { unowned }))).toEqual(['NameConflict PersistentVolumeClaim/a']);
  });
});
