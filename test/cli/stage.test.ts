import { pinion, service, writeFiles } from './terminal';

const digest = `sha256:${'b'.repeat(64)}`;
const workflow = (more = '') => `apiVersion: pinterest.com/v1
kind: Workflow
metadata: {name: web, namespace: shop}
spec:
  workloads: {files: [apps]}
  properties:
    image: {type: image, substitutions: [{workload: cart, fieldPath: 'spec.template.spec.containers[app].image'}]}
    replicas: {type: integer, default: 3, substitutions: [{workload: cart, fieldPath: spec.replicas}]}
    commit: {type: commit, substitutions: [{workload: cart, fieldPath: 'metadata.annotations["example.com/commit"]'}]}
  stages:
    - {name: staging, targets: [staging-1]}
    - {name: production, targets: [prod-1], properties: {replicas: 12}}
${more}`;
const platform = `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec:
  team: commerce
  stages:
    - {name: staging, clusters: [staging-1]}
    - name: production
      clusters: [prod-1]
      publishers: [{issuer: 'https://jenkins.example.com', repository: git.example.com/commerce/shop, ref: refs/heads/main, keys: [MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=]}]
`;
const stage = (command: string, name: string, ...more: string[]) =>
  pinion([command, 'web.workflow.yaml', '--stage', name, ...more]);

beforeEach(() =>
  writeFiles({ 'web.workflow.yaml': workflow(), 'apps/cart.yaml': service('cart'), 'pinion.platform.yaml': platform }),
);

describe('--stage', () => {
  test('renders the workloads with the values of the stage, and says what is set when publishing', async () => {
    const { code, out, err } = await stage('render', 'production', '-o', 'json');
    const { items } = JSON.parse(out) as { items: { kind: string; spec: { replicas?: number } }[] };
    expect([code, items.find(({ kind }) => kind === 'Deployment')?.spec.replicas]).toEqual([0, 12]);
    expect(err.split('\n').slice(0, 2)).toEqual([
      'PinterestService shop/cart: spec.template.spec.containers[0].image is set when publishing (property image); --set image=VALUE sets it here',
      'PinterestService shop/cart: metadata.annotations["example.com/commit"] is set when publishing (property commit); --set commit=VALUE sets it here',
    ]);
    const staging = await stage('render', 'staging', '--as-resource');
    expect(staging.out).toContain('replicas: 3\n');
  });

  test('an image without a digest is an error of a protected stage only if publishing does not set it', async () => {
    expect(await stage('check', 'production', '-q')).toMatchObject({ code: 0, out: '' });
    const tagged = await stage('check', 'production', '--set', 'image=registry.example.com/app:2');
    expect([tagged.code, tagged.out]).toEqual([1, expect.stringContaining('has no digest; a protected stage')]);
    const pinned = await stage('render', 'production', '--set', `image=registry.example.com/app:2@${digest}`, '-q');
    expect([pinned.code, pinned.out]).toEqual([0, expect.stringContaining(`registry.example.com/app:2@${digest}`)]);
  });

  test('a value that does not fit its field is reported at the manifest', async () => {
    writeFiles({ 'web.workflow.yaml': workflow().replace('replicas: 12', 'replicas: -1') });
    const { code, out } = await stage('check', 'production');
    expect([code, out]).toEqual([1, expect.stringContaining('apps/cart.yaml')]);
    expect(out).toContain('spec.replicas');
    expect((await stage('check', 'staging')).code).toBe(0);
  });

  test('clusters that the Project does not list for the stage are errors, as when publishing', async () => {
    writeFiles({ 'web.workflow.yaml': workflow().replace('targets: [prod-1]', 'targets: [prod-9]') });
    expect((await stage('check', 'production')).out).toContain('"prod-9" is not a cluster of stage production');
    expect((await stage('check', 'staging')).out).toBe('');
  });

  test('an unknown stage lists the stages, and inputs without a workflow are rejected', async () => {
    expect(await stage('check', 'productoin')).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'stage not found: productoin; did you mean production? the stages are staging, production\n',
      ) as string,
    });
    expect(await pinion(['render', 'apps', '--stage', 'staging'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--stage requires a workflow among the inputs') as string,
    });
  });

  test('manifests of no workflow are left out of a folder, and a property that does not exist is an error', async () => {
    writeFiles({ 'other.yaml': service('other') });
    const { out, err } = await pinion(['render', '.', '--stage', 'staging', '--as-resource']);
    expect([out.includes('name: cart'), out.includes('name: other')]).toEqual([true, false]);
    expect(err).toContain('1 manifest is in no workflow with the stage staging, and skipped\n');
    const unknown = await stage('check', 'staging', '--set', 'imag=a:1');
    expect([unknown.code, unknown.out]).toEqual([1, expect.stringContaining('"imag" is not declared')]);
  });

  test('a property that none of several workflows declares is a usage error', async () => {
    const till = workflow().replace('name: web', 'name: pos').replaceAll('cart', 'till').replace('[apps]', '[pos]');
    writeFiles({ 'pos.workflow.yaml': till.replace('replicas: {', 'count: {').replace('replicas: 12', 'count: 12') });
    writeFiles({ 'pos/till.yaml': service('till') });
    const set = (text: string) => stage('render', 'staging', 'pos.workflow.yaml', '--as-resource', '--set', text);
    expect(await set('cuont=7')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(
        '--set must name a property of one of the workflows, not "cuont"; did you mean count? the properties are image, replicas, commit, count\n',
      ) as string,
    });
    expect(await set('count=7')).toMatchObject({ code: 0, out: expect.stringContaining('replicas: 7\n') as string });
  });

  test('check --output json lists what is set when publishing', async () => {
    const { out } = await stage('check', 'staging', '-o', 'json');
    const { summary } = JSON.parse(out) as { summary: { notes: string[] } };
    expect(summary.notes).toHaveLength(2);
  });

  test('an unreadable file of the workflow is unavailable', async () => {
    writeFiles({ 'web.workflow.yaml': workflow().replace('[apps]', '[missing]') });
    expect((await stage('check', 'staging')).code).toBe(3);
  });
});
