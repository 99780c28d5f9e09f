import { loadAll } from 'js-yaml';
import { platformFile } from './import.cases';
import { pinion, writeFiles } from './terminal';

/** What `helm template` prints for a chart of the old and of the new style. */
const rendered = `---
# Source: shop/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: rel-shop
  labels: {app: shop, chart: shop-1.2.3, heritage: Helm, release: rel, helm.sh/chart: shop-1.2.3, app.kubernetes.io/managed-by: Helm}
spec:
  replicas: 2
  selector: {matchLabels: {app: shop, release: rel}}
  template:
    metadata:
      labels: {app: shop, release: rel, chart: shop-1.2.3, heritage: Helm}
      annotations: {checksum/config: 01ba4719}
    spec:
      automountServiceAccountToken: false
      containers: [{name: shop, image: 'registry.example.com/shop:1', envFrom: [{configMapRef: {name: rel-shop}}]}]
---
# Source: shop/templates/configmap.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: rel-shop, labels: {chart: shop-1.2.3, heritage: Helm}}
data: {MODE: fast}
---
# Source: shop/templates/hooks.yaml
apiVersion: batch/v1
kind: Job
metadata: {name: rel-migrate, annotations: {helm.sh/hook: 'pre-install,pre-upgrade', helm.sh/hook-weight: '5'}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: migrate, image: 'registry.example.com/shop:1', args: [migrate]}]}}}
---
# Source: shop/templates/tests/test.yaml
apiVersion: v1
kind: Pod
metadata: {name: rel-test, annotations: {helm.sh/hook: test}}
spec: {restartPolicy: Never, containers: [{name: test, image: 'busybox:1.36'}]}
`;

const importing = async (...argv: readonly string[]) => {
  writeFiles({ 'rendered.yaml': rendered, 'pinion.platform.yaml': platformFile });
  const { code, out, err } = await pinion(['import', ...argv, '-f', 'rendered.yaml', '-n', 'shop']);
  return { code, err, out, comments: out.replace(/\n# {3}/g, ' ') };
};

test('the rendered output of a chart is imported without the labels of Helm, and hooks are named', async () => {
  const { code, err, out, comments } = await importing();
  expect([code, err]).toEqual([0, '']);
  expect(loadAll(out)).toMatchObject([
    {
      kind: 'PinterestService',
      metadata: { name: 'rel-shop', namespace: 'shop', labels: { app: 'shop', release: 'rel' } },
      spec: {
        template: {
          metadata: { labels: { app: 'shop', release: 'rel' }, annotations: { 'checksum/config': '01ba4719' } },
        },
      },
    },
  ]);
  for (const hidden of ['heritage', 'shop-1.2.3']) expect(out).not.toContain(hidden);
  expect(comments).toContain('- Job rel-migrate is a Helm hook (pre-install,pre-upgrade), which Helm runs');
  expect(comments).toContain('- Pod rel-test is a Helm hook (test)');
  expect(comments).toContain('ConfigMap rel-shop: is used by the pods');
});

test('a hook is imported by its name, and its event is said', async () => {
  const { code, out, comments } = await importing('job/rel-migrate');
  expect(code).toBe(0);
  expect(loadAll(out)).toMatchObject([{ kind: 'PinterestJobSet', metadata: { name: 'rel-migrate' } }]);
  expect(comments).toContain(
    'Job rel-migrate: metadata.annotations["helm.sh/hook"]: pre-install,pre-upgrade is when Helm ran it',
  );
});

test('a label "chart" of the workload itself is kept', async () => {
  const own = rendered.replaceAll(', heritage: Helm', '');
  writeFiles({ 'rendered.yaml': own, 'pinion.platform.yaml': platformFile });
  const { out } = await pinion(['import', 'deploy/rel-shop', '-f', 'rendered.yaml', '-n', 'shop']);
  expect(loadAll(out)).toMatchObject([{ metadata: { labels: { chart: 'shop-1.2.3' } } }]);
});

describe('a chart whose dependency names the namespace of the release', () => {
  const cache = (namespace: string) => `---
# Source: shop/charts/cache/templates/statefulset.yaml
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: rel-cache, namespace: ${namespace}, labels: {helm.sh/chart: cache-1.0.0}}
spec:
  serviceName: rel-cache
  selector: {matchLabels: {app: cache}}
  template:
    metadata: {labels: {app: cache}}
    spec: {containers: [{name: cache, image: 'registry.example.com/cache:1'}]}
`;
  const hint =
    'Helm writes the namespace default for that of a release that is rendered without -n: render the chart with helm template -n and the namespace of the release, and import that output';
  const importing = async (text: string) => {
    writeFiles({ 'rendered.yaml': text, 'pinion.platform.yaml': platformFile });
    const { code, out, err } = await pinion(['import', '-f', 'rendered.yaml', '-n', 'shop']);
    return { code, err, comments: out.replace(/\n# {3}/g, ' ') };
  };

  test('is listed with how to render it, if it was rendered without one', async () => {
    const { code, comments } = await importing(rendered + cache('default'));
    expect(code).toBe(0);
    expect(comments).toContain(`- StatefulSet default/rel-cache\n# - ${hint}\n`);
  });

  test('is an error with it, if no other workload is left', async () => {
    const { code, err } = await importing(cache('default'));
    expect(code).toBe(2);
    expect(err).toContain(`those of namespace default need -n default; ${hint}`);
  });

  test('is imported, if it was rendered with one', async () => {
    const { comments } = await importing(rendered + cache('shop'));
    expect(comments).toContain('from StatefulSet rel-cache in rendered.yaml');
    expect(comments).not.toContain('Helm writes the namespace');
  });

  test('is only listed, if it has another one', async () => {
    const { comments } = await importing(rendered + cache('caches'));
    expect(comments).toContain('- StatefulSet caches/rel-cache');
    expect(comments).not.toContain('Helm writes the namespace');
  });
});
