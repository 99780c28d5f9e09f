import { parseManifest } from '../../../lib/api';
import { type LiveObject } from '../../../lib/client';
import { reconcileRevisions } from '../../../lib/controller/revisions/reconcile-revisions';
import { type ReconcileContext } from '../../../lib/controller/reconcile-context';
import { defaultPlatform, platformRevisionOf, resolvePlatform } from '../../../lib/expand';

const platform = parseManifest({ ...defaultPlatform, spec: { ...defaultPlatform.spec, rollouts: {} } });
const cluster = resolvePlatform([platform]);
const current = platformRevisionOf(cluster).name;

const object = (kind: string, name: string, more: object = {}): LiveObject =>
  ({
    apiVersion: 'pinterest.com/v1',
    kind,
    metadata: { name, uid: `uid-${name}`, resourceVersion: '1' },
    ...more,
  }) as LiveObject;

test('the oldest unused revisions are deleted, but none that a workload follows, also if its status is lost', async () => {
  const old = Array.from({ length: 15 }, (_, index) => `rev-${String(index).padStart(2, '0')}`);
  const held = [...old, current].map((name, index) => {
    const live = object('PlatformRevision', name);
    const creationTimestamp = `2026-03-01T12:00:${String(index).padStart(2, '0')}Z`;
    return { ...live, metadata: { ...live.metadata, creationTimestamp } };
  });
  const workloads = [
    object('PinterestService', 'lost'),
    object('PinterestService', 'known', { status: { platformRevision: { name: 'rev-02', former: 'rev-03' } } }),
  ];
  const removed: string[] = [];
  const context = {
    stores: {
      resource: (_: string, __: string, name: string) => held.find(({ metadata }) => metadata.name === name),
      resources: (kind: string) => (kind === 'PlatformRevision' ? held : []),
      workloads: () => workloads,
      ownedBy: (uid: string) => (uid === 'uid-lost' ? [{ expansion: 'inputs/templates/rev-00' }] : []),
    },
    writer: {
      removeResource: ({ metadata }: LiveObject) => {
        removed.push(metadata.name);
        return Promise.resolve();
      },
    },
  } as unknown as ReconcileContext;
  const live = object('Platform', 'cluster', { status: { revisions: { current, completed: current } } });
  expect(await reconcileRevisions(live, cluster, context)).toEqual({ current, completed: current });
  expect(removed).toEqual(['rev-01', 'rev-04']);
});
