import { apiVersion, parseManifest, type ManifestInput, type SpecInput, type Workload } from '../../../lib/api';
import {
  defaultPlatform,
  defaultProfile,
  FollowedRevisions,
  resolvePlatform,
  revisionStateOf,
  storedRevisionsOf,
  type FollowingWorkload,
  type StoredPlatformObject,
} from '../../../lib/expand';
import { documentOf } from '../../impact/impact-fleet';
import { released, storedRevision, storedRollout } from './stored-revision';

const profile = (name: string) => parseManifest({ ...defaultProfile, metadata: { name } });
const manifests = (name: string, more: Partial<SpecInput<'Platform'>> = {}) => [
  parseManifest({
    ...defaultPlatform,
    spec: { ...defaultPlatform.spec, rollouts: {}, runtime: { profile: name, canary: { project: 'canary' } }, ...more },
  }),
  profile(name),
];
const project = parseManifest({ apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec: { team: 'retail' } });
const [former, present] = [manifests('lean-1'), manifests('lean-2')];
const [first, second] = [storedRevision(former, '2026-01-01T00:00:00Z'), storedRevision(present)];
const names = { first: first.metadata.name, second: second.metadata.name };
const open = { current: names.second, completed: names.first, rollout: 'rollout-2' };
const done = { current: names.second, completed: names.second, rollout: 'rollout-2' };

function followed(revisions: object, ...rollouts: readonly StoredPlatformObject[]): FollowedRevisions {
  const cluster = resolvePlatform([...present, project]);
  const state = revisionStateOf(
    cluster.platform,
    { revisions },
    { revisions: storedRevisionsOf([first, second]), rollouts },
  );
  if (!state) throw new Error('no revisions');
  return new FollowedRevisions(cluster, state);
}

const workload = (more: Partial<FollowingWorkload> = {}): FollowingWorkload => ({
  ...{ uid: 'u1', kind: 'PinterestService', project: 'shop', isRedeployed: false },
  status: { platformRevision: { name: names.first } },
  ...more,
});

test('a cluster without rollouts in its Platform, or without recorded revisions, has no revisions to follow', () => {
  const { platform } = resolvePlatform(manifests('lean-2', { rollouts: undefined }));
  const stored = { revisions: storedRevisionsOf([first, second]), rollouts: [] };
  expect(revisionStateOf(platform, { revisions: done }, stored)).toBeUndefined();
  expect(revisionStateOf(resolvePlatform(present).platform, {}, stored)).toBeUndefined();
});

describe('while a rollout is open', () => {
  test('a deployment keeps the recorded revision, and a released workload has that of the rollout', () => {
    const rollout = storedRollout('rollout-2', names.second, {
      phase: 'Progressing',
      transit: [released('PinterestService/shop/cart', 'u2', names.second)],
    });
    const revisions = followed(open, rollout);
    expect(revisions.revisionOf(workload({ isRedeployed: true }))).toBe(names.first);
    expect(revisions.revisionOf(workload({ uid: 'u2' }))).toBe(names.second);
    const run = workload({ uid: 'u2', kind: 'PinterestJobSet' });
    expect(revisions.revisionOf(run)).toBe(names.first);
    const ended = { platformRevision: { name: names.first }, phase: 'Succeeded' };
    expect(revisions.revisionOf({ ...run, status: ended })).toBe(names.second);
  });

  test('new workloads have the completed revision, and those of the canary the current one while it is tested', () => {
    const created = { uid: undefined, status: undefined };
    const progressing = followed(open, storedRollout('rollout-2', names.second, { phase: 'Progressing' }));
    expect(progressing.revisionOf(workload(created))).toBe(names.first);
    expect(progressing.revisionOf(workload({ ...created, project: 'canary' }))).toBe(names.second);
    const failed = followed(open, storedRollout('rollout-2', names.second, { phase: 'Failed' }));
    expect(failed.revisionOf(workload({ ...created, project: 'canary' }))).toBe(names.first);
  });
});

describe('after a rollout', () => {
  test('a deployment takes the completed revision, and scaling does not', () => {
    expect(followed(done).revisionOf(workload({ isRedeployed: true }))).toBe(names.second);
    expect(followed(done).revisionOf(workload())).toBe(names.first);
  });

  test('a workload that the revision does not change follows it', () => {
    const manifest = parseManifest({
      ...documentOf('PinterestService', 'cart'),
      apiVersion,
    } as ManifestInput) as Workload;
    const after = (more: Partial<SpecInput<'Platform'>>): readonly [followed: string, completed: string] => {
      const next = manifests('lean-1', more);
      const revision = storedRevision(next);
      const revisions = { current: revision.metadata.name, completed: revision.metadata.name };
      const cluster = resolvePlatform(next);
      const stored = { revisions: storedRevisionsOf([first, revision]), rollouts: [] };
      const state = revisionStateOf(cluster.platform, { revisions }, stored);
      if (!state) throw new Error('no revisions');
      return [new FollowedRevisions(cluster, state).revisionOf(workload({ manifest })), revisions.completed];
    };
    const [adapted, adapter] = after({ scaling: { customAdapter: 'other' } });
    expect([adapted, adapter]).toEqual([adapter, expect.not.stringContaining(names.first) as string]);
    expect(after({ environment: 'other' })[0]).toBe(names.first);
  });
});

test('the record on an object is newer than one of the status that does not know it', () => {
  const owned = [{ expansion: `a/b/${names.second}` }];
  expect(followed(open).revisionOf(workload({ owned }))).toBe(names.second);
  const status = { platformRevision: { name: names.first, applied: [names.second] } };
  expect(followed(open).revisionOf(workload({ owned, status }))).toBe(names.first);
});

test('a workload without a record has the revision with its profile', () => {
  const status = { runtimeProfile: 'lean-1' };
  expect(followed(done).revisionOf(workload({ status }))).toBe(names.first);
  expect(followed(done).revisionOf(workload({ status: { runtimeProfile: 'lean-0' } }))).toBe(names.second);
});

describe('the context of a project', () => {
  test('at a revision has its Platform and profile, and the present Project', () => {
    const context = followed(open).contextOf('shop', names.first);
    expect(context).toMatchObject({ profile: { metadata: { name: 'lean-1' } }, project, assumed: [] });
    expect(context?.platform.spec.runtime.profile).toBe('lean-1');
  });

  test('at the revision of the Platform is that of the cluster', () => {
    const context = followed(open).contextOf('shop', names.second);
    expect(context?.profile.metadata.name).toBe('lean-2');
    expect(context?.platform).toEqual(present[0]);
  });

  test('is unknown at a revision that does not exist, or whose content is not that of its name', () => {
    const cluster = resolvePlatform(present);
    const changed = { ...first, spec: { ...(first.spec as object), profile: { name: 'lean-2' } } };
    const state = revisionStateOf(
      cluster.platform,
      { revisions: open },
      { revisions: storedRevisionsOf([changed]), rollouts: [] },
    );
    const revisions = state && new FollowedRevisions(cluster, state);
    expect(revisions?.contextOf('shop', 'rev-0')).toBeUndefined();
    expect(revisions?.contextOf('shop', names.first)).toBeUndefined();
  });
});
