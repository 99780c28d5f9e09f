import { loadAll } from 'js-yaml';
import { realClock } from '../kube/real-clock';
import { sendJson, sendStatus, startServer, type ScriptedServer } from '../kube/scripted-server';
import { platformFile } from './import.cases';
import { pinion, testFolder, writeFiles } from './terminal';

const pod = (app: string) => ({
  metadata: { labels: { app } },
  spec: {
    automountServiceAccountToken: false,
    containers: [
      {
        name: app,
        image: `registry.example.com/${app}:1`,
        env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } }],
      },
    ],
  },
});
const owned = (apiVersion: string, kind: string, name: string) => ({
  ownerReferences: [{ apiVersion, kind, name, uid: 'owner', controller: true }],
});
const workload = (name: string, metadata: object = {}) => ({
  metadata: { name, namespace: 'shop', ...metadata },
  spec: { selector: { matchLabels: { app: name } }, template: pod(name) },
});

/** Objects of the namespace by resource. */
const objects: Readonly<Record<string, readonly object[]>> = {
  deployments: [
    workload('web'),
    workload('cart', owned('pinterest.com/v1', 'PinterestService', 'cart')),
    workload('console', owned('example.com/v1', 'Console', 'main')),
  ],
  jobs: [workload('nightly-1', owned('batch/v1', 'CronJob', 'nightly')), workload('once')],
  services: [
    { metadata: { name: 'web', namespace: 'shop' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
  ],
  configmaps: [
    { metadata: { name: 'kube-root-ca.crt', namespace: 'shop' }, data: { 'ca.crt': 'x' } },
    { metadata: { name: 'flags', namespace: 'shop' }, data: { flag: 'token: hunter2' } },
  ],
  serviceaccounts: [{ metadata: { name: 'default', namespace: 'shop' } }],
};
const missing = ['jobsets', 'tfjobs', 'pytorchjobs', 'jaxjobs', 'platforms', 'runtimeprofiles', 'projects'];

describe('a namespace of a cluster', () => {
  let server: ScriptedServer;
  let policies: readonly object[];
  let pods: readonly object[];
  let cronJobs: readonly object[];
  beforeEach(async () => {
    [policies, pods, cronJobs] = [[], [], []];
    server = await startServer(({ url }, response) => {
      const resource = /\/(\w+)(\?|$)/.exec(url)?.[1] ?? '';
      const items = { ...objects, networkpolicies: policies, cronjobs: cronJobs, pods }[resource] ?? [];
      if (missing.includes(resource)) sendStatus(response, 404, 'NotFound');
      else if (url.endsWith('/deployments/web')) sendJson(response, 200, workload('web'));
      else if (resource === 'rolebindings') sendStatus(response, 403, 'Forbidden');
      else sendJson(response, 200, { metadata: { resourceVersion: '1' }, items });
    });
    writeFiles({
      'pinion.platform.yaml': platformFile,
      config: `apiVersion: v1
kind: Config
current-context: here
contexts: [{name: here, context: {cluster: here, user: me, namespace: other}}]
clusters: [{name: here, cluster: {server: '${server.url}'}}]
users: [{name: me, user: {}}]
`,
    });
  });
  afterEach(() => server.close());

  const importing = (...argv: readonly string[]) =>
    pinion(['import', '--kubeconfig', `${testFolder()}/config`, ...argv], '', {
      system: { environment: {}, clock: realClock },
    });

  test('is imported but for what others create, and the rest is listed', async () => {
    const { code, out, err } = await importing('-n', 'shop');
    expect([code, err]).toEqual([0, '']);
    expect(loadAll(out)).toMatchObject([
      { kind: 'PinterestService', metadata: { name: 'web' }, spec: { loadBalancer: { port: 80 } } },
      { kind: 'PinterestJobSet', metadata: { name: 'once' } },
    ]);
    const comments = out.replace(/\n# {3}/g, ' ');
    for (const line of [
      '- Deployment shop/cart is managed by PinterestService cart, a custom resource of pinion\n',
      '- Deployment shop/console belongs to Console main, whose controller would create it again; import it by its name only if that is deleted\n',
      'keep it if you need it:\n# - ConfigMap shop/flags\n',
      'access is denied, so that what belongs to a workload may be missing:\n# - RoleBinding\n',
    ])
      expect(comments).toContain(line);
    for (const hidden of ['hunter2', 'nightly', 'kube-root-ca', 'ServiceAccount shop/default'])
      expect(out).not.toContain(hidden);
  });

  describe('for one workload, with a policy', () => {
    const nightly = {
      metadata: { name: 'nightly', namespace: 'shop' },
      spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: pod('once') } } },
    };
    const podOf = (kind: string) => ({
      metadata: {
        name: 'once-0',
        namespace: 'shop',
        labels: { app: 'once' },
        ...owned('example.com/v1', kind, 'once'),
      },
    });
    beforeEach(() => {
      policies = [
        {
          metadata: { name: 'rules', namespace: 'shop' },
          spec: {
            podSelector: { matchLabels: { app: 'web' } },
            ingress: [{ from: [{ podSelector: { matchLabels: { app: 'once' } } }] }],
          },
        },
      ];
    });

    test('reads all kinds of workloads, and says what access is denied to', async () => {
      cronJobs = [nightly];
      pods = [podOf('Job')];
      const { code, out, err } = await importing('deploy/web', '-n', 'shop');
      expect([code, err]).toEqual([0, '']);
      expect(loadAll(out)).toMatchObject([
        { spec: { access: { from: [{ workload: 'nightly' }, { workload: 'once' }] } } },
      ]);
      expect(out.replace(/\n# {3}/g, ' ')).toContain('a workload may be missing:\n# - RoleBinding\n');
    });

    test('reads the pods of operators', async () => {
      pods = [podOf('Cluster')];
      const { out } = await importing('deploy/web', '-n', 'shop');
      expect(out.replace(/\n# {3}/g, ' ')).toContain('because it selects pods of Pod once-0 (not imported)');
    });
  });

  test('is read with one request for each kind, and without Secrets', async () => {
    await importing('-n', 'shop');
    const paths = server.seen.map(({ method, url }) => `${method} ${url.split('?')[0] ?? ''}`);
    expect(paths).toContain('GET /apis/apps/v1/namespaces/shop/deployments');
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.every((path) => path.startsWith('GET '))).toBe(true);
    expect(paths.filter((path) => /secrets|pods|replicasets/.test(path))).toEqual([]);
    expect(paths.filter((path) => path.includes('/namespaces/') && !path.includes('/namespaces/shop/'))).toEqual([]);
  });

  test.each([
    [['-n', 'shop', '--name', 'x'], '--name requires KIND/NAME'],
    [[], 'import requires KIND/NAME: native workload, such as deployment/cart; or -n NAMESPACE or -f FILE for all'],
  ])('a usage error says what is missing: %j', async (argv, message) => {
    const { code, err } = await importing(...argv);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

test('an empty namespace is a usage error', async () => {
  const server = await startServer((_, response) =>
    sendJson(response, 200, { metadata: { resourceVersion: '1' }, items: [] }),
  );
  writeFiles({
    'pinion.platform.yaml': platformFile,
    config: `apiVersion: v1
kind: Config
current-context: here
contexts: [{name: here, context: {cluster: here, user: me}}]
clusters: [{name: here, cluster: {server: '${server.url}'}}]
users: [{name: me, user: {}}]
`,
  });
  const system = { environment: {}, clock: realClock };
  const { code, err } = await pinion(['import', '-n', 'none', '--kubeconfig', `${testFolder()}/config`], '', {
    system,
  });
  await server.close();
  expect([code, err]).toEqual([2, expect.stringContaining('no workload in namespace none')]);
});
