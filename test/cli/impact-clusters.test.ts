import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImpactReport } from '../../lib/cli/commands/impact/impact-report';
import { type ClusterSnapshot } from '../../lib/impact';
import { parseManifest, type ManifestInput, type Workload } from '../../lib/api';
import { withAppliedHash } from '../../lib/controller/plan/applied-hash';
import {
  defaultPlatform,
  defaultProfile,
  expand,
  expansionAnnotation,
  expansionInputs,
  resolvePlatform,
  type KubernetesObject,
} from '../../lib/expand';
import { storedRevision } from '../expand/revisions/stored-revision';
import { environment } from './publish-fixture';
import { kubeconfigOption, listBody, liveMetadata, LiveCluster, type Body } from './live-cluster';
import { pinion, testFolder, writeFiles } from './terminal';

const cluster = new LiveCluster();
beforeEach(() => cluster.start());
afterEach(() => cluster.server.close());

const template = {
  spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2', env: [{ name: 'A', value: 'b' }] }] },
};
const resource = (kind: string, name: string, spec: object, more: Body = {}, namespace?: string): Body => ({
  apiVersion: 'pinterest.com/v1',
  kind,
  metadata: {
    ...liveMetadata(name, namespace),
    generation: 1,
    managedFields: [{ manager: 'someone' }],
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  },
  spec,
  ...more,
});
const workload = (name: string, profile: string, observedGeneration = 1): Body =>
  resource(
    'PinterestService',
    name,
    { replicas: 2, template },
    { status: { observedGeneration, runtimeProfile: profile, conditions: [{ message: 'secret-of-status' }] } },
    'shop',
  );
const profileSpec = (tag: string) => ({ ...defaultProfile.spec, env: [{ name: 'GENERATION', value: tag }] });
const platformSpec = (more: object = {}) => ({ ...defaultPlatform.spec, ...more });
const list = (path: string, ...items: readonly Body[]): void => void cluster.stored.set(path, listBody(items));
const base = '/apis/pinterest.com/v1';

/** Stores a cluster with a workload on the profile in force, and one that is held on the former one. */
function storeCluster(...more: readonly Body[]): void {
  const runtime = { profile: 'lean-2', rollout: 'OnNextDeploy' };
  list(`${base}/platforms`, resource('Platform', 'cluster', platformSpec({ runtime })));
  list(
    `${base}/runtimeprofiles`,
    resource('RuntimeProfile', 'lean-1', profileSpec('1')),
    resource('RuntimeProfile', 'lean-2', profileSpec('2')),
  );
  list(`${base}/projects`, resource('Project', 'shop', { team: 'retail' }));
  list(`${base}/pinterestservices`, workload('held', 'lean-1'), workload('moved', 'lean-2'), ...more);
  storeChildren([workload('held', 'lean-1'), workload('moved', 'lean-2'), ...more]);
  list('/api/v1/resourcequotas', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: liveMetadata('shop', 'shop'),
    status: { hard: { pods: '5' }, used: { pods: '5' } },
  });
}

/** Returns a service with its expansion by this version. */
function expandedService({ metadata, spec, status }: Body) {
  const { name } = metadata as { readonly name: string };
  const { runtimeProfile: profile } = status as { readonly runtimeProfile: string };
  const runtime = { profile, rollout: 'OnNextDeploy' };
  const apiVersion = 'pinterest.com/v1';
  const manifests = [
    { apiVersion, kind: 'Platform', metadata: { name: 'cluster' }, spec: platformSpec({ runtime }) },
    { apiVersion, kind: 'RuntimeProfile', metadata: { name: profile }, spec: profileSpec(profile.slice(-1)) },
    { apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec: { team: 'retail' } },
  ].map((manifest) => parseManifest(manifest as ManifestInput<'Platform'>));
  const input = { apiVersion, kind: 'PinterestService', metadata: { name, namespace: 'shop' }, spec };
  const manifest = parseManifest(input as ManifestInput<'PinterestService'>) as unknown as Workload;
  const context = resolvePlatform(manifests).project('shop');
  return { name, manifest, context, objects: expand(manifest, context) };
}

/** Stores the Deployments of services as the controller applied them, changed by `edit`. */
function storeChildren(services: readonly Body[], edit = (object: KubernetesObject): KubernetesObject => object): void {
  const objects = services.map(expandedService).flatMap(({ name, objects: expanded }) => {
    const owner = { apiVersion: 'pinterest.com/v1', kind: 'PinterestService', name, uid: name };
    return expanded
      .filter(({ kind }) => kind === 'Deployment')
      .map((object) => withAppliedHash(object, { ...owner, controller: true, blockOwnerDeletion: true }).object)
      .map(edit);
  });
  list('/apis/apps/v1/deployments', ...objects);
}

const platformFile = (more: object): string =>
  JSON.stringify({
    apiVersion: 'pinterest.com/v1',
    kind: 'Platform',
    metadata: { name: 'cluster' },
    spec: platformSpec(more),
  });
const run = (...argv: string[]) => pinion(['impact', ...argv], '', environment({ HOME: testFolder() }));
const report = async (...argv: string[]): Promise<{ code: number; report: ImpactReport }> => {
  const { code, out } = await run('report', ...argv, '-o', 'json');
  return { code, report: JSON.parse(out) as ImpactReport };
};
const outcomesOf = ({ clusters }: ImpactReport) =>
  Object.fromEntries((clusters[0]?.workloads ?? []).map(({ name, outcome }) => [name, outcome]));
const immediate = { runtime: { profile: 'lean-2', rollout: 'Immediate' } };

test('a cluster is judged from the profile that each workload has, and the quota in use', async () => {
  storeCluster();
  writeFiles({ 'platform.json': platformFile(immediate) });
  const { code, report: found } = await report('--live', ...kubeconfigOption(), 'platform.json');
  expect([code, outcomesOf(found)]).toEqual([10, { held: 'restarts' }]);
  expect(found.clusters[0]).toMatchObject({
    workloads: [{ profile: { before: 'lean-1', after: 'lean-2' }, team: 'retail' }],
    surge: [{ project: 'shop', fits: 'no', short: { pods: '0' } }],
  });
  expect(found.notes).toEqual(['platform: that of the cluster before, platform.json after']);
  // Only lists are sent.
  expect(new Set(cluster.server.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('a snapshot gives the same report as the cluster, without Secrets, ConfigMaps and other parts of objects', async () => {
  storeCluster();
  writeFiles({ 'platform.json': platformFile(immediate) });
  const { code, out } = await run('snapshot', '--context', 'c', ...kubeconfigOption());
  expect(code).toBe(0);
  for (const absent of ['managedFields', 'last-applied-configuration', 'secret-of-status'])
    expect(out).not.toContain(absent);
  expect(cluster.requests().filter((request) => /secrets|configmaps/.test(request))).toEqual([]);
  const snapshot = JSON.parse(out) as ClusterSnapshot;
  expect(snapshot).toMatchObject({ format: 'pinion-impact-snapshot/1', name: 'c', unread: [] });
  writeFiles({ 'c.json': out });
  const live = await report('--context', 'c', ...kubeconfigOption(), 'platform.json');
  expect(await report('--snapshot', 'c.json', 'platform.json')).toEqual(live);
  expect(readFileSync(join(testFolder(), 'c.json'), 'utf8')).toBe(out);
});

test('with rollouts each workload is judged from the revision that it follows, and a snapshot has what this needs', async () => {
  const platformOf = (profile: string) => platformSpec({ runtime: { profile }, rollouts: { waves: [], soak: '5m' } });
  const profiles = ['1', '2'].map((tag) => resource('RuntimeProfile', `lean-${tag}`, profileSpec(tag)));
  const revisions = ['lean-1', 'lean-2'].map((profile) => {
    const manifests = [resource('Platform', 'cluster', platformOf(profile)), ...profiles].map((manifest) => {
      const { apiVersion, kind, metadata, spec } = manifest as {
        apiVersion: string;
        kind: string;
        metadata: { name: string };
        spec: object;
      };
      return parseManifest({ apiVersion, kind, metadata: { name: metadata.name }, spec } as ManifestInput<'Platform'>);
    });
    return storedRevision(manifests);
  });
  const [first = '', second = ''] = revisions.map(({ metadata }) => metadata.name);
  const on = (name: string, revision: string): Body => ({
    ...workload(name, revision === first ? 'lean-1' : 'lean-2'),
    status: {
      observedGeneration: 1,
      platformRevision: { name: revision, ...(revision === second && { former: first }) },
      conditions: [{ type: 'Ready', status: name === 'broken' ? 'False' : 'True', message: 'secret-of-status' }],
    },
  });
  list(
    `${base}/platforms`,
    resource('Platform', 'cluster', platformOf('lean-2'), {
      status: { revisions: { current: second, completed: first, rollout: 'rollout-2' } },
    }),
  );
  list(`${base}/runtimeprofiles`, ...profiles);
  list(`${base}/projects`, resource('Project', 'shop', { team: 'retail' }));
  list(
    `${base}/platformrevisions`,
    ...revisions.map(({ spec }, index) => resource('PlatformRevision', [first, second][index] ?? '', spec as object)),
  );
  list(
    `${base}/platformrollouts`,
    resource(
      'PlatformRollout',
      'rollout-2',
      { revision: second },
      { status: { phase: 'Paused', message: 'secret-of-status' } },
    ),
  );
  list(`${base}/pinterestservices`, on('moved', second), on('next', first), on('broken', first));
  cluster.forbidden.add('/apis/apps/v1/deployments');
  const { out } = await run('snapshot', '--context', 'c', ...kubeconfigOption());
  expect(out).not.toContain('secret-of-status');
  writeFiles({ 'c.json': out });
  const { report: found } = await report('--snapshot', 'c.json');
  // The daemon of the profile is not stored, so that it is taken to be at the completed revision.
  expect(outcomesOf(found)).toEqual({ next: 'restarts', broken: 'restarts', 'node-metrics': 'restarts' });
  expect(found.clusters[0]?.rollout?.waves).toMatchObject([
    { name: 'rest', workloads: 1 },
    { name: 'daemons', workloads: 1 },
    { name: 'unready', workloads: 1 },
  ]);
  const live = await report('--live', ...kubeconfigOption());
  expect(live.report.clusters[0]?.rollout).toEqual(found.clusters[0]?.rollout);
});

test('without inputs nothing changes, also for a workload that is held', async () => {
  storeCluster();
  const { code, report: found } = await report('--live', ...kubeconfigOption());
  expect(found.notes).toEqual(['platform: that of the cluster']);
  // The held one moves by itself after the deadline, as before.
  expect([code, outcomesOf(found)]).toEqual([10, { held: 'waits' }]);
  expect((await run('report', '--live', ...kubeconfigOption())).out).toContain('No pods restart at once.');
});

test('kinds that cannot be read, workloads in transition and clusters that do not answer are unknown', async () => {
  storeCluster(workload('busy', 'lean-2', 0));
  writeFiles({ 'platform.json': platformFile(immediate) });
  const busy = await report('--live', ...kubeconfigOption(), 'platform.json');
  expect([busy.code, outcomesOf(busy.report)]).toEqual([12, { busy: 'unknown', held: 'restarts' }]);
  storeCluster();
  cluster.forbidden.add(`${base}/pinterestcronjobs`);
  const denied = await run('report', '--live', ...kubeconfigOption(), 'platform.json');
  expect([denied.code, denied.out]).toEqual([12, expect.stringContaining('unknown: PinterestCronJob: listing')]);
  const other = await run('report', '--context', 'c', '--context', 'missing', ...kubeconfigOption(), 'platform.json');
  expect([other.code, other.out]).toEqual([12, expect.stringMatching(/^unknown: cluster missing: .*missing/m)]);
  expect(other.out).toContain('1 restart');
  writeFiles({ 'bad.json': '{"format": "other"}' });
  const bad = await run('report', '--snapshot', 'bad.json', 'platform.json');
  expect([bad.code, bad.out]).toEqual([12, expect.stringContaining('unknown: cluster bad.json: is not a snapshot')]);
});

test('a cluster without a Platform is unknown', async () => {
  const { code, report: found } = await report('--live', ...kubeconfigOption());
  expect([code, found.unreachable]).toEqual([
    12,
    [{ cluster: 'of the current context', reason: expect.stringContaining('Platform') as string }],
  ]);
});

test('--platform is refused: the inputs are applied', async () => {
  writeFiles({ 'platform.json': platformFile(immediate) });
  const { code, err } = await run('report', '--live', '--platform', 'platform.json');
  expect([code, err]).toEqual([2, expect.stringContaining('name its file as an input')]);
});

describe('objects that another version of pinion applied', () => {
  const service = () => workload('moved', 'lean-2');
  const appliedBy = (edit: (object: KubernetesObject) => KubernetesObject) => {
    storeCluster();
    list(`${base}/pinterestservices`, service());
    storeChildren([service()], edit);
  };
  const edited = (image: string) => (object: KubernetesObject) =>
    JSON.parse(JSON.stringify(object).replaceAll('registry.example.com/app:1.4.2', image)) as KubernetesObject;
  const rehashed = (object: KubernetesObject): KubernetesObject => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, 'pinterest.com/last-applied-hash': 'another' },
    },
  });

  test('restart if their pods differ from what this version expands, with the field', async () => {
    appliedBy((object) => rehashed(edited('registry.example.com/app:0.9')(object)));
    const { code, report: found } = await report('--live', ...kubeconfigOption());
    expect([code, outcomesOf(found)]).toEqual([10, { moved: 'restarts' }]);
    expect(found.clusters[0]?.workloads[0]).toMatchObject({
      causes: [expect.stringMatching(/^this version of pinion \(Deployment\/moved spec\.template\./)],
      writes: { patch: 1 },
    });
  });

  test('are unknown if only fields that this version no longer sets could restart them', async () => {
    appliedBy(rehashed);
    const { code, report: found } = await report('--live', ...kubeconfigOption());
    expect([code, outcomesOf(found)]).toEqual([12, { moved: 'unknown' }]);
  });

  describe('with a record of their expansion', () => {
    const { all: inputs, deployed } = (() => {
      const { manifest, context } = expandedService(service());
      return expansionInputs(manifest, context);
    })();
    const former = { inputs, podTemplates: '1-former' };
    const since = '2026-03-01T12:00:00Z';
    const runtime = { profile: 'lean-2', rollout: 'OnNextDeploy' };
    const recorded = (expansion: object): void => {
      appliedBy((object) => rehashed(edited('registry.example.com/app:0.9')(object)));
      const own = service();
      list(`${base}/pinterestservices`, { ...own, status: { ...(own['status'] as object), expansion } });
    };
    const outcomesWith = async (platform: object) => {
      writeFiles({ 'platform.json': platformFile({ runtime, ...platform }) });
      return outcomesOf((await report('--live', ...kubeconfigOption(), 'platform.json')).report);
    };

    test('wait for a release, because only the version differs', async () => {
      recorded(former);
      const { code, report: found } = await report('--live', ...kubeconfigOption());
      expect([code, found.clusters[0]?.workloads]).toMatchObject([
        0,
        [
          {
            ...{ name: 'moved', outcome: 'waits', waitsFor: 'release', writes: { patch: 0 } },
            causes: [expect.stringMatching(/^this version of pinion \(Deployment\/moved spec\.template\./)],
          },
        ],
      ]);
      expect((await run('report', '--live', ...kubeconfigOption())).out).toContain('ExpansionDiffers');
    });

    test('wait also if their status is lost: the objects have the record', async () => {
      const annotation = { 'pinterest.com/expansion': expansionAnnotation(former) };
      appliedBy((object) => {
        const { metadata, ...rest } = rehashed(edited('registry.example.com/app:0.9')(object));
        return { ...rest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotation } } };
      });
      const { report: found } = await report('--live', ...kubeconfigOption());
      expect(outcomesOf(found)).toEqual({ moved: 'waits' });
    });

    test('restart if the change also has other inputs, unless they are held already', async () => {
      recorded(former);
      expect(await outcomesWith({ environment: 'prod' })).toMatchObject({ moved: 'restarts' });
      recorded({ ...former, held: { deployed, since } });
      expect(await outcomesWith({ environment: 'prod' })).toMatchObject({ moved: 'waits' });
    });

    test('are unknown if an object with their pods does not exist: the controller creates it', async () => {
      recorded(former);
      list('/apis/apps/v1/deployments');
      expect(await outcomesWith({})).toEqual({ moved: 'unknown' });
    });

    test('restart once they are released', async () => {
      recorded({ ...former, held: { deployed, since } });
      const release = (heldBefore: string) => ({ runtime: { ...runtime, expansionRelease: { heldBefore } } });
      expect(await outcomesWith(release('2026-03-01T11:59:59Z'))).toEqual({ moved: 'waits' });
      expect(await outcomesWith(release(since))).toEqual({ moved: 'restarts' });
    });
  });

  test('are unknown if they do not exist, and not compared if they cannot be read', async () => {
    storeCluster();
    list('/apis/apps/v1/deployments');
    const missing = await report('--live', ...kubeconfigOption());
    expect([missing.code, outcomesOf(missing.report)]).toEqual([12, { held: 'unknown', moved: 'unknown' }]);
    cluster.forbidden.add('/apis/apps/v1/deployments');
    const denied = await report('--live', ...kubeconfigOption());
    expect([denied.code, outcomesOf(denied.report)]).toEqual([12, { held: 'waits' }]);
    expect(denied.report.clusters[0]?.unread).toEqual([expect.stringMatching(/^Deployment: listing/)]);
  });
});

describe('surge pods against nodes', () => {
  const node = (name: string, more: Body = {}): Body => ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: liveMetadata(name), spec: {}, ...more },
    status: {
      allocatable: { cpu: '4', memory: '8Gi', pods: '10' },
      conditions: [{ type: 'Ready', status: name === 'broken' ? 'False' : 'True' }],
    },
  });
  const pod = (name: string, nodeName: string, cpu: string): Body => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: liveMetadata(name, 'shop') },
    spec: { nodeName, containers: [{ name: 'app', image: 'a', resources: { requests: { cpu } } }] },
  });
  const surgeWith = async (...pods: readonly Body[]) => {
    storeCluster();
    const cordoned = node('cordoned', { spec: { unschedulable: true } });
    list('/api/v1/nodes', node('a'), cordoned, node('broken'));
    list('/api/v1/pods', ...pods);
    writeFiles({ 'platform.json': platformFile(immediate) });
    return run('report', '--live', ...kubeconfigOption(), 'platform.json');
  };

  test('fit what the requests of the pods on ready nodes leave', async () => {
    const { out } = await surgeWith(pod('one', 'a', '2'));
    expect(out).toContain('\nsurge pods: 1 at once, which fit the free capacity of the nodes\n');
    const full = await surgeWith(pod('one', 'a', '2'), pod('two', 'a', '1900m'));
    expect(full.out).toContain(
      '\nsurge pods: 1 at once, of which 1 does not fit the free capacity of the nodes: PinterestService shop/held 1\n',
    );
    const { out: snapshot } = await run('snapshot', '--context', 'c', ...kubeconfigOption());
    expect((JSON.parse(snapshot) as ClusterSnapshot).requested).toEqual({ a: { cpu: '3900m', pods: '2' } });
    writeFiles({ 'c.json': snapshot });
    const { report: found } = await report('--snapshot', 'c.json', 'platform.json');
    expect(found.clusters[0]?.nodeSurge).toMatchObject([{ pods: 1, fits: 'no' }]);
  });

  test('are unknown without the permission to list pods', async () => {
    cluster.forbidden.add('/api/v1/pods');
    expect(await surgeWith()).toMatchObject({
      code: 12,
      out: expect.stringContaining('\nsurge pods: 1 at once; the free capacity of nodes is not known\n') as string,
    });
  });
});
