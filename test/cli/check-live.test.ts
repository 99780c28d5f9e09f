import { apiVersion, parseManifest } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { kubeconfigOption, listBody, LiveCluster, liveMetadata, type Body } from './live-cluster';
import { quickClock } from './run-with-service';
import { pinion, service, writeFiles } from './terminal';

const cluster = new LiveCluster();
const { stored, forbidden } = cluster;
beforeEach(() => cluster.start());
afterEach(() => cluster.server.close());

const check = (...argv: string[]) =>
  pinion(['check', '-q', '--live', ...argv, ...kubeconfigOption()], '', {
    system: { environment: {}, clock: quickClock },
  });
const api = '/apis/pinterest.com/v1';
const ingresses = '/apis/networking.k8s.io/v1/ingresses';
const accounts = '/api/v1/namespaces/shop/serviceaccounts';
const exposed = '  loadBalancer: {port: 8080, hosts: [shop.example.com]}\n';
const peers = (...names: string[]) => `  access: {from: [${names.map((name) => `{workload: ${name}}`).join(', ')}]}\n`;

/** Returns an Ingress, which belongs to a workload if one is given. */
function ingress(name: string, namespace: string, workload?: string, host = 'shop.example.com'): Body {
  const backend = { service: { name: 'old', port: { number: 80 } } };
  const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] };
  const labels =
    workload === undefined ? {} : { 'pinterest.com/kind': 'PinterestService', 'pinterest.com/workload': workload };
  return {
    metadata: { ...liveMetadata(name, namespace), labels },
    spec: { ingressClassName: 'internal', rules: [{ host, http }] },
  };
}

/** Stores a Platform, as clusters with the controller have. */
function storePlatform(over: Body = {}): void {
  const { kind, spec } = parseManifest(defaultPlatform);
  const platform = { apiVersion, kind, metadata: liveMetadata('cluster'), spec: { ...spec, ...over } };
  stored.set(`${api}/platforms`, listBody([platform]));
}

test('a host and path of a workload of another project is an error that names it', async () => {
  stored.set(ingresses, listBody([ingress('till', 'cafe', 'till')]));
  writeFiles({ 'a.yaml': service('cart', 'shop', exposed) });
  expect(await check('a.yaml')).toEqual({
    code: 1,
    out: 'a.yaml:7:38: error duplicate: PinterestService shop/cart: spec.loadBalancer.hosts[0]: "shop.example.com/" is also routed to PinterestService cafe/till in the cluster, and an ingress controller serves only one of them; use another host name or path for one of them\n',
    err: '',
  });
});

test('one of a workload of the same project is a warning: a rename replaces it', async () => {
  stored.set(ingresses, listBody([ingress('till', 'shop', 'till')]));
  writeFiles({ 'a.yaml': service('cart', 'shop', exposed) });
  const { code, out } = await check('a.yaml');
  expect([code, out]).toEqual([0, expect.stringContaining('warning duplicate: PinterestService shop/cart') as string]);
  expect(out).toContain('is also routed to PinterestService shop/till in the cluster');
});

test('one of an Ingress without a workload is a warning: an import replaces it', async () => {
  stored.set(ingresses, listBody([ingress('old', 'shop')]));
  writeFiles({ 'a.yaml': service('cart', 'shop', exposed) });
  const { code, out } = await check('a.yaml');
  expect([code, out]).toEqual([0, expect.stringContaining('warning duplicate: PinterestService shop/cart') as string]);
  expect(out).toContain('is also routed to Ingress shop/old in the cluster');
});

test('what the inputs replace in the cluster is no problem, and nothing is written', async () => {
  stored.set(ingresses, listBody([ingress('cart', 'shop', 'cart'), ingress('b', 'shop', 'b', 'b.example.com')]));
  writeFiles({ 'a.yaml': service('cart', 'shop', exposed) });
  expect(await check('a.yaml')).toEqual({ code: 0, out: '', err: '' });
  expect(cluster.requests().every((line) => line.startsWith('GET '))).toBe(true);
});

test('without --live, the cluster is not asked', async () => {
  writeFiles({ 'a.yaml': service('cart', 'shop', exposed) });
  expect((await pinion(['check', '-q', 'a.yaml'])).code).toBe(0);
  expect(cluster.requests()).toEqual([]);
});

test('a peer in the cluster is no problem, even if its name is similar to one of the inputs', async () => {
  stored.set(`${accounts}/carts`, { metadata: { name: 'carts', labels: { 'pinterest.com/workload': 'carts' } } });
  writeFiles({
    'a.yaml': `${service('till', 'shop', peers('carts'))}---\n${service('cart')}`,
  });
  expect((await pinion(['check', '-q', 'a.yaml'])).out).toContain('did you mean "cart"?');
  expect(await check('a.yaml')).toEqual({ code: 0, out: '', err: '' });
});

test('a peer that exists nowhere is one warning', async () => {
  writeFiles({ 'a.yaml': `${service('till', 'shop', peers('carts', 'foreign'))}---\n${service('cart')}` });
  expect(await check('a.yaml')).toEqual({
    code: 0,
    out:
      'a.yaml:7:20: warning unknown-reference: PinterestService shop/till: spec.access.from[0].workload: "carts" is not a workload of project shop, neither in these inputs nor in the cluster, so that the rule selects no pods; did you mean "cart"?\n' +
      'a.yaml:7:39: warning unknown-reference: PinterestService shop/till: spec.access.from[1].workload: "foreign" is not a workload of project shop, neither in these inputs nor in the cluster, so that the rule selects no pods; use the name of a workload, or deploy this one\n',
    err: '',
  });
});

test('two workloads of the inputs with the same host are one error', async () => {
  stored.set(ingresses, listBody([ingress('cart', 'shop', 'cart'), ingress('till', 'shop', 'till')]));
  writeFiles({ 'a.yaml': `${service('till', 'shop', exposed)}---\n${service('cart', 'shop', exposed)}` });
  const { out } = await check('a.yaml');
  expect(out.match(/error duplicate/g)).toHaveLength(1);
  expect(out).toContain('is also routed to PinterestService shop/till at a.yaml:3');
});

test('the Platform of the cluster applies, unless the inputs or --platform give one', async () => {
  storePlatform({ tiers: [...parseManifest(defaultPlatform).spec.tiers, { name: 'special', priority: 1 }] });
  writeFiles({ 'a.yaml': service('cart', 'shop', '  tier: special\n') });
  expect((await pinion(['check', '-q', 'a.yaml'])).code).toBe(1);
  expect(await check('a.yaml')).toEqual({ code: 0, out: '', err: '' });
  const { out } = await check('a.yaml', '-o', 'json');
  expect(JSON.parse(out)).toMatchObject({ summary: { platform: 'the cluster' } });
  writeFiles({ 'p.yaml': JSON.stringify({ ...defaultPlatform, apiVersion }) });
  expect((await check('a.yaml', '--platform', 'p.yaml')).code).toBe(1);
});

test('what may not be read is noted, and an unreachable cluster is unavailable', async () => {
  forbidden.add(ingresses);
  writeFiles({ 'a.yaml': service('cart', 'shop', exposed) });
  const options = { system: { environment: {}, clock: quickClock } };
  const { code, err } = await pinion(['check', '--live', 'a.yaml', ...kubeconfigOption()], '', options);
  expect([code, err]).toEqual([
    0,
    expect.stringContaining('you may not list all Ingresses of the cluster, so host names are not compared') as string,
  ]);
  await cluster.server.close();
  expect((await check('a.yaml')).code).toBe(3);
  await cluster.start();
});

test('--kubeconfig and --context require --live', async () => {
  writeFiles({ 'a.yaml': service('cart') });
  expect(await pinion(['check', 'a.yaml', '--context', 'x'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--context requires --live') as string,
  });
});

describe('a Project of the inputs', () => {
  const root = service('cart').replace('image:', 'securityContext: {runAsNonRoot: false}, image:');
  const project = (podSecurity: string) =>
    `apiVersion: ${apiVersion}\nkind: Project\nmetadata: {name: shop}\nspec: {team: shop, podSecurity: ${podSecurity}}\n`;
  const note = 'project.yaml: Project shop is used';
  const notes = async (...argv: string[]): Promise<unknown> => {
    const { summary } = JSON.parse((await check(...argv, '-o', 'json')).out) as { summary: { notes?: unknown } };
    return summary.notes;
  };
  const storeProject = (podSecurity: string): void => {
    const metadata = liveMetadata('shop');
    stored.set(`${api}/projects/shop`, { apiVersion, kind: 'Project', metadata, spec: { team: 'shop', podSecurity } });
  };
  beforeEach(() => storePlatform());

  test('applies before it is in the cluster, and instead of that of the cluster', async () => {
    writeFiles({ 'a.yaml': root, 'project.yaml': project('baseline') });
    expect(await check('a.yaml', 'project.yaml')).toMatchObject({ code: 0, out: '' });
    storeProject('restricted');
    expect(await check('a.yaml', 'project.yaml')).toMatchObject({ code: 0, out: '' });
    writeFiles({ 'project.yaml': project('restricted') });
    storeProject('baseline');
    expect((await check('a.yaml', 'project.yaml')).code).toBe(1);
  });

  test('is used from the folder of an input only if the cluster has none', async () => {
    writeFiles({ 'a.yaml': root, 'project.yaml': project('baseline') });
    expect(await check('a.yaml')).toMatchObject({ code: 0, out: '' });
    expect(await notes('a.yaml')).toEqual([note]);
    storeProject('restricted');
    expect((await check('a.yaml')).code).toBe(1);
    expect(await notes('a.yaml')).toBeUndefined();
    writeFiles({ 'a.yaml': service('cart'), 'project.yaml': project('none') });
    expect(await check('a.yaml')).toMatchObject({ code: 0, out: '' });
    stored.delete(`${api}/projects/shop`);
    expect((await check('a.yaml')).out).toContain('run pinion check project.yaml');
  });
});
