import { apiVersion, parseManifest, type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { sendJson, sendStatus, startServer } from '../kube/scripted-server';
import { released, storedRevision, storedRollout } from '../expand/revisions/stored-revision';
import { profileOf } from '../impact/impact-fleet';
import { kubeconfigOption, listBody as list, LiveCluster, liveMetadata as metadata, type Body } from './live-cluster';
import { quickClock } from './run-with-service';
import { pinion, service, writeFiles } from './terminal';

const cluster = new LiveCluster();
const { stored, forbidden } = cluster;
beforeEach(() => cluster.start());
afterEach(() => cluster.server.close());

const diff = (...argv: string[]) =>
  pinion(['diff', '--live', ...argv, ...kubeconfigOption()], '', {
    system: { environment: {}, clock: quickClock },
  });
const api = '/apis/pinterest.com/v1';
const requests = (): string[] => cluster.requests();

/** Stores a Platform and custom resources, as the controller's clusters have. */
function storeResources(profile: string | undefined, ...inputs: readonly ManifestInput[]): void {
  const { kind, spec } = parseManifest(defaultPlatform);
  stored.set(`${api}/platforms`, list([{ apiVersion, kind, metadata: metadata('cluster'), spec }]));
  const resources = inputs.map((input): [string, Body] => {
    const { name, namespace } = input.metadata as { name: string; namespace: string };
    const live = { apiVersion, ...parseManifest(input), metadata: metadata(name, namespace) };
    return [name, { ...live, ...(profile !== undefined && { status: { runtimeProfile: profile } }) }];
  });
  const collection = `${api}/namespaces/shop/pinterestservices`;
  stored.set(collection, list(resources.map(([, live]) => live)));
  for (const [name, live] of resources) stored.set(`${collection}/${name}`, live);
}
const resource = (name: string, replicas = 2, tag = '1.4.2'): ManifestInput<'PinterestService'> => ({
  apiVersion,
  kind: 'PinterestService',
  metadata: { name, namespace: 'shop' },
  spec: { replicas, template: { spec: { containers: [{ name: 'app', image: `registry.example.com/app:${tag}` }] } } },
});

test('a custom resource is compared by its expansion, with one request and those of the Platform', async () => {
  storeResources(undefined, resource('cart'));
  writeFiles({ 'a.yaml': service('cart').replace('1.4.2', '1.5.0') });
  const { code, out } = await diff('a.yaml', '--exit-code');
  expect([code, out]).toEqual([
    1,
    expect.stringContaining('because of spec.template.spec.containers[app].image\n') as string,
  ]);
  expect(out).toContain('~ PinterestService shop/cart\n    ~ spec.template.spec.containers[app].image: ');
  expect(requests()).toEqual([
    `GET ${api}/namespaces/shop/pinterestservices/cart`,
    `GET ${api}/platforms`,
    `GET ${api}/runtimeprofiles/${parseManifest(defaultPlatform).spec.runtime.profile}`,
    `GET ${api}/projects/shop`,
  ]);
  writeFiles({ 'a.yaml': service('cart') });
  expect(await diff('a.yaml', '--exit-code')).toMatchObject({ code: 0 });
});

test('a change of a Project among the inputs shows as a change of its workloads', async () => {
  storeResources(undefined, resource('cart'));
  const project = (team: string) =>
    `apiVersion: ${apiVersion}\nkind: Project\nmetadata: {name: shop}\nspec: {team: ${team}}\n`;
  const live = { apiVersion, kind: 'Project', metadata: metadata('shop'), spec: { team: 'old' } };
  stored.set(`${api}/projects/shop`, live);
  writeFiles({ 'a.yaml': service('cart'), 'project.yaml': project('new') });
  const { out } = await diff('a.yaml', 'project.yaml');
  expect(out).toContain('because of Project shop spec.team\n');
  expect((await diff('a.yaml')).out).toBe('the cluster → the inputs\n1 unchanged; no pods restart\n');
});

test('several workloads of a namespace are read with one list', async () => {
  storeResources(undefined, resource('cart'), resource('till'));
  writeFiles({ 'a.yaml': ['cart', 'till'].map((name) => service(name)).join('---\n') });
  expect((await diff('a.yaml')).out).toContain('2 unchanged; no pods restart\n');
  expect(requests().filter((line) => line.includes('pinterestservices'))).toEqual([
    `GET ${api}/namespaces/shop/pinterestservices`,
  ]);
});

test('a workload that only scales keeps the runtime profile of its pods, and another change moves it', async () => {
  storeResources('older-1', resource('cart'));
  stored.set(`${api}/runtimeprofiles/older-1`, {
    apiVersion,
    kind: 'RuntimeProfile',
    metadata: metadata('older-1'),
    spec: { ...defaultProfile.spec, parts: [] },
  });
  writeFiles({ 'a.yaml': service('cart').replace('replicas: 2', 'replicas: 5') });
  expect((await diff('a.yaml')).out).toContain('no pods restart\n');
  writeFiles({ 'a.yaml': service('cart', 'shop', '  links: {runbook: https://example.com}\n') });
  const { out } = await diff('a.yaml');
  expect(out).toMatch(/because of RuntimeProfile \S+ spec\.parts\[logs\]\n/);
});

test('a workload that the canary holds keeps its profile, with the images of that profile, even if it changes', async () => {
  storeResources('older-1', resource('cart'));
  stored.set(`${api}/runtimeprofiles/older-1`, {
    apiVersion,
    kind: 'RuntimeProfile',
    metadata: metadata('older-1'),
    spec: defaultProfile.spec,
  });
  const settings = { 'older-1': { images: { logs: 'registry.example.com/logs:1' }, values: {} } };
  const runtime = { profile: 'default-1', since: '2026-03-01T12:00:00Z', settings };
  const platform = { apiVersion, kind: 'Platform', metadata: metadata('cluster') };
  writeFiles({ 'a.yaml': service('cart').replace('1.4.2', '1.5.0') });
  stored.set(`${api}/platforms/cluster`, { ...platform, status: { runtime } });
  const { out: moved } = await diff('a.yaml');
  expect(moved).toContain('because of Platform cluster spec.runtime.images');
  stored.set(`${api}/platforms/cluster`, {
    ...platform,
    status: { runtime: { ...runtime, rolloutBlockedReason: 'it fails' } },
  });
  const { out: kept } = await diff('a.yaml');
  expect(kept).toContain('1.5.0');
  expect(kept).not.toMatch(/runtime\.images|RuntimeProfile/);
});

test('native objects are compared by an apply that is not stored, as the client that applied them', async () => {
  const native = (tag: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas: 1, template: { spec: { containers: [{ name: 'a', image: `a:${tag}` }] } } },
  });
  const path = '/apis/apps/v1/namespaces/shop/deployments/web';
  const managedFields = [{ manager: 'helm', operation: 'Apply', fieldsV1: {} }];
  stored.set(path, {
    ...native('1'),
    metadata: { ...metadata('web', 'shop'), managedFields },
    status: { replicas: 1 },
  });
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a', namespace: 'shop' },
    stringData: { a: 'marker-7' },
  };
  const other = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'shop' } };
  writeFiles({ 'a.yaml': [native('2'), secret, other].map((object) => JSON.stringify(object)).join('\n---\n') });
  const { code, out, err } = await diff('a.yaml');
  expect(code).toBe(0);
  expect(out).toContain(
    'Deployment/web: its pods are replaced by a rolling update\n      ~ spec.template.spec.containers[a].image: "a:1" → "a:2"\n',
  );
  expect(out).toContain('note: Secret shop/a is a Secret: its values are not read\n');
  expect(out).toContain('note: Widget shop/w has a kind that pinion does not know\n');
  expect(out + err).not.toContain('marker');
  expect(requests()).toContain(`PATCH ${path}`);
  const patch = cluster.server.seen.find(({ method }) => method === 'PATCH');
  expect(new URL(patch?.url ?? '', cluster.server.url).searchParams.get('dryRun')).toBe('All');
  expect(new URL(patch?.url ?? '', cluster.server.url).searchParams.get('fieldManager')).toBe('helm');
  expect(requests().some((line) => line.includes('secrets') || /^(POST|PUT|DELETE)/.test(line))).toBe(false);
});

test('what the API server rejects is said, and an unreachable cluster is unavailable', async () => {
  await cluster.server.close();
  cluster.server = await startServer(({ method }, response) =>
    method === 'PATCH'
      ? sendStatus(response, 403, 'Forbidden')
      : sendJson(response, 200, { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('a', 'shop') }),
  );
  writeFiles({ 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n' });
  const config = JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: cluster.server.url } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: {} }],
    'current-context': 'c',
  });
  writeFiles({ kubeconfig: config });
  expect((await diff('a.yaml', '--platform', 'p.yaml')).code).toBe(3);
  const { out } = await diff('a.yaml');
  expect(out).toContain('note: ConfigMap shop/a cannot be compared: the API server rejects it (Forbidden)\n');
});

test('what the API server says about an immutable field is not shown, since it repeats values', async () => {
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', namespace: 'shop' }, spec: {} };
  cluster.rejection = {
    kind: 'Status',
    code: 422,
    reason: 'Invalid',
    message: 'Job.batch "a" is invalid: spec.template: Invalid value: core.PodTemplateSpec{Value:"marker-7"}',
    details: {
      causes: [
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: core.PodTemplateSpec{Value:"marker-7"}: field is immutable',
          field: 'spec.template',
        },
        { reason: 'FieldValueInvalid', message: 'Invalid value: "marker-7"', field: 'spec.selector' },
      ],
    },
  };
  stored.set('/apis/batch/v1/namespaces/shop/jobs/a', { ...job, metadata: metadata('a', 'shop') });
  writeFiles({ 'a.yaml': JSON.stringify(job) });
  const { out, err } = await diff('a.yaml');
  expect(out).toContain(
    'note: Job shop/a cannot be compared: the API server rejects it because of spec.template, spec.selector (Invalid)\n',
  );
  expect(out + err).not.toContain('marker');
  expect(out).toContain('\n0 unchanged, 1 not compared; no pods restart\n');
  expect((await diff('a.yaml')).code).toBe(0);
  expect((await diff('a.yaml', '--exit-code')).code).toBe(3);
  cluster.rejection = undefined;
  expect((await diff('a.yaml', '--exit-code')).code).toBe(0);
});

test('objects without a name are not looked for in the cluster', async () => {
  const text = (metadata: string) => `apiVersion: apps/v1\nkind: Deployment\n${metadata}spec: {}\n`;
  writeFiles({ 'a.yaml': `${text('')}---\n${text('metadata: {generateName: web-, namespace: shop}\n')}` });
  const { code, out } = await diff('a.yaml');
  expect(code).toBe(0);
  expect(out).toContain('note: Deployment (without a name) has no name, so it cannot be found in the cluster\n');
  expect(out).toContain('note: Deployment shop/web-* has no name, so it cannot be found in the cluster\n');
  expect(requests().some((line) => line.includes('deployments'))).toBe(false);
});

test('native objects without a namespace are in that of the context', async () => {
  const object = (apiVersion: string, kind: string) => JSON.stringify({ apiVersion, kind, metadata: { name: 'a' } });
  writeFiles({ 'a.yaml': `${object('v1', 'ConfigMap')}\n---\n${object('v1', 'Namespace')}` });
  const path = '/api/v1/namespaces/team/configmaps/a';
  stored.set(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('a', 'team') });
  expect((await diff('a.yaml')).out).toContain('+ Namespace a\n1 created, 1 unchanged');
  expect(requests()).toEqual(expect.arrayContaining([`GET ${path}`, `PATCH ${path}`, 'GET /api/v1/namespaces/a']));
});

describe('what the cluster has besides the inputs', () => {
  const ingresses = '/apis/networking.k8s.io/v1/ingresses';
  const exposed = '  loadBalancer: {port: 8080, hosts: [shop.example.com]}\n';
  const ingress = (name: string, labels: Readonly<Record<string, string>> = {}, host = 'shop.example.com'): Body => {
    const backend = { service: { name: 'old', port: { number: 80 } } };
    const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] };
    return {
      metadata: { ...metadata(name, 'shop'), labels },
      spec: { ingressClassName: 'internal', rules: [{ host, http }] },
    };
  };

  test('a host and path of an Ingress of the cluster is a warning, unless the inputs replace it', async () => {
    storeResources(undefined, resource('cart'));
    const own = { 'pinterest.com/kind': 'PinterestService', 'pinterest.com/workload': 'cart' };
    writeFiles({ 'a.yaml': service('cart', 'shop', exposed) });
    stored.set(ingresses, list([ingress('cart'), ingress('cart-old', own), ingress('other', {}, 'b.example.com')]));
    expect(await diff('a.yaml', '--exit-code')).toMatchObject({ code: 1, err: '' });
    stored.set(ingresses, list([ingress('cart'), ingress('till')]));
    const { code, err } = await diff('a.yaml', '--exit-code');
    expect([code, err]).toEqual([
      1,
      'a.yaml:7:38: warning duplicate: PinterestService shop/cart: spec.loadBalancer.hosts[0]: "shop.example.com/" is also routed to Ingress shop/till in the cluster, and an ingress controller serves only one of them; use another host name or path for one of them\n',
    ]);
  });

  test('without permission to list Ingresses, hosts are not compared, and a note says so', async () => {
    storeResources(undefined, resource('cart'));
    writeFiles({ 'a.yaml': service('cart', 'shop', exposed) });
    forbidden.add(ingresses);
    const { code, out, err } = await diff('a.yaml');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('note: you may not list all Ingresses of the cluster, so host names are not compared');
  });

  test('a peer that is neither in the inputs nor in the cluster is a warning', async () => {
    storeResources(undefined, resource('cart'), resource('till'));
    const accounts = '/api/v1/namespaces/shop/serviceaccounts';
    stored.set(`${accounts}/native`, { metadata: { name: 'native', labels: { 'pinterest.com/workload': 'native' } } });
    stored.set(`${accounts}/foreign`, { metadata: { name: 'foreign' } });
    const peers = (...names: string[]) =>
      `  access: {from: [${names.map((name) => `{workload: ${name}}`).join(', ')}]}\n`;
    writeFiles({ 'a.yaml': service('cart', 'shop', peers('till', 'native', 'cart')) });
    expect((await diff('a.yaml')).err).toBe('');
    writeFiles({ 'a.yaml': service('cart', 'shop', peers('foreign')) });
    expect((await diff('a.yaml')).err).toBe(
      'a.yaml:7:20: warning unknown-reference: PinterestService shop/cart: spec.access.from[0].workload: "foreign" is not a workload of project shop, neither in these inputs nor in the cluster, so that the rule selects no pods; use the name of a workload, or deploy this one\n',
    );
    forbidden.add(`${accounts}/foreign`);
    expect((await diff('a.yaml')).err).toBe('');
  });

  test('a peer is not in a cluster without custom resources if it has no service account', async () => {
    cluster.unserved = '/apis/pinterest.com/';
    writeFiles({ 'a.yaml': service('cart', 'shop', '  access: {from: [{workload: foreign}]}\n') });
    const { code, err } = await diff('a.yaml');
    expect([code, err]).toEqual([0, expect.stringContaining('"foreign" is not a workload of project shop')]);
  });
});

describe('a workload of a cluster with rollouts', () => {
  /** The second one also denies traffic by default, which adds an object to each workload. */
  const specOf = (profile: string) => ({
    ...defaultPlatform,
    spec: {
      ...defaultPlatform.spec,
      ...{ rollouts: {}, runtime: { profile } },
      network: { defaultDeny: profile === 'lean-2', dnsNamespace: 'dns' },
    },
  });
  const lean = (name: string) => profileOf(name, name.slice(-1));
  const stateOf = (profile: string) => [parseManifest(specOf(profile)), parseManifest(lean(profile))];
  const [first, second] = [storedRevision(stateOf('lean-1')), storedRevision(stateOf('lean-2'))];

  /** Stores a Platform that names the second profile, and a workload at the first revision. */
  function storeRevisions(completed: string, transit: readonly object[] = [], phase = 'Progressing'): void {
    storeResources('lean-1', resource('cart'));
    const revisions = { current: second.metadata.name, completed, rollout: 'rollout-2' };
    const { kind, spec } = parseManifest(specOf('lean-2'));
    const platform = { apiVersion, kind, metadata: metadata('cluster'), spec, status: { revisions } };
    stored.set(`${api}/platforms`, list([platform]));
    stored.set(`${api}/platforms/cluster`, platform);
    for (const name of ['lean-1', 'lean-2'])
      stored.set(`${api}/runtimeprofiles/${name}`, { ...lean(name), metadata: metadata(name) });
    const withMetadata = ({ metadata: own, ...rest }: Body) => ({
      ...rest,
      metadata: { ...metadata('x'), ...(own as object) },
    });
    stored.set(`${api}/platformrevisions`, list([first, second].map((one) => withMetadata(one as unknown as Body))));
    const rollout = storedRollout('rollout-2', second.metadata.name, {
      phase: phase as 'Progressing',
      transit: transit as never,
    });
    stored.set(`${api}/platformrollouts`, list([withMetadata(rollout as unknown as Body)]));
    const path = `${api}/namespaces/shop/pinterestservices/cart`;
    const status = { runtimeProfile: 'lean-1', platformRevision: { name: first.metadata.name } };
    stored.set(path, { ...stored.get(path), status });
  }
  const write = () => writeFiles({ 'a.yaml': service('cart').replace('1.4.2', '1.5.0') });

  test('keeps its revision while a rollout is open, also if it is deployed', async () => {
    storeRevisions(first.metadata.name);
    write();
    const { out } = await diff('a.yaml');
    expect(out).toContain('because of spec.template.spec.containers[app].image\n');
    expect(out).not.toContain('logs');
    writeFiles({ 'a.yaml': service('cart') });
    expect((await diff('a.yaml')).out).toBe('the cluster → the inputs\n1 unchanged; no pods restart\n');
  });

  test('has the completed revision once it is deployed, and not by scaling', async () => {
    storeRevisions(second.metadata.name, [], 'Completed');
    write();
    expect((await diff('a.yaml')).out).toMatch(/because of .*RuntimeProfile lean-2/);
    writeFiles({ 'a.yaml': service('cart').replace('replicas: 2', 'replicas: 5') });
    expect((await diff('a.yaml')).out).toContain('no pods restart\n');
  });

  test('that the rollout has released is at the revision already: the input does not move it', async () => {
    storeRevisions(first.metadata.name, [released('PinterestService/shop/cart', 'cart', second.metadata.name)]);
    writeFiles({ 'a.yaml': service('cart') });
    expect((await diff('a.yaml')).out).toBe('the cluster → the inputs\n1 unchanged; no pods restart\n');
  });

  test('that is new has the revision that was rolled out last', async () => {
    storeRevisions(first.metadata.name);
    writeFiles({ 'a.yaml': service('till') });
    const { out } = await diff('a.yaml', '-o', 'json');
    expect(out).toContain('Deployment');
    expect(out).not.toContain('NetworkPolicy');
    storeRevisions(second.metadata.name, [], 'Completed');
    expect((await diff('a.yaml', '-o', 'json')).out).toContain('NetworkPolicy');
  });
});
