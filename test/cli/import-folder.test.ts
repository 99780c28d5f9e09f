import { loadAll } from 'js-yaml';
import { platformFile } from './import.cases';
import { pinion, writeFiles } from './terminal';

/** Returns a Deployment as YAML; `metadata` follows its name. */
const deployment = (name: string, metadata = ', namespace: shop', container = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${metadata}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      automountServiceAccountToken: false
      containers: [{name: app, image: 'registry.example.com/${name}:1'${container}}]
`;

/** Imports all workloads of the folder `old`. */
async function importing(files: Readonly<Record<string, string>>, ...more: readonly string[]) {
  writeFiles({
    'pinion.platform.yaml': platformFile,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`old/${name}`, text])),
  });
  const result = await pinion(['import', '-f', 'old', ...more]);
  const comments = result.out
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => line.slice(1).trim())
    .join(' ');
  return { ...result, comments, documents: loadAll(result.out).filter((value) => value !== null) };
}

test('a Project in the folder is used', async () => {
  const project =
    'apiVersion: pinterest.com/v1\nkind: Project\nmetadata: {name: books}\nspec: {team: books, podSecurity: restricted}\n';
  const root = deployment('web', ', namespace: books', ', securityContext: {runAsUser: 0}');
  expect((await importing({ 'web.yaml': root })).out).toContain('because no manifest defines it');
  expect((await importing({ 'project.yaml': project })).out).not.toContain('because no manifest defines it');
});

describe('a document that cannot be read', () => {
  const broken = deployment('cart', ', namespace: shop', ', resources: {}, resources: {}');

  test('is reported, and the others are imported', async () => {
    const { code, err, documents } = await importing({ 'cart.yaml': broken, 'web.yaml': deployment('web') });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^old\/cart\.yaml:10:\d+: error duplicate: .*the key resources occurs twice in one mapping; keep one/m,
    );
    expect(documents).toMatchObject([{ metadata: { name: 'web' } }]);
  });

  test('is why a folder has no workload', async () => {
    const { code, err } = await importing({ 'cart.yaml': broken });
    expect(code).toBe(1);
    expect(err).toContain('error duplicate');
    expect(err).not.toContain('no workload');
  });

  test('does not matter if it is not a Kubernetes object', async () => {
    const values = { 'values.yaml': 'replicas: 2\n', 'Chart.yaml': 'apiVersion: v2\nname: web\n' };
    const { code, err } = await importing({ ...values, 'web.yaml': deployment('web') });
    expect([code, err]).toEqual([0, '']);
  });

  test('is a template of a chart, which Helm prints', async () => {
    const template = deployment('cart').replace('selector:', '{{- with .Values.strategy }}\n  selector:');
    const { code, err } = await importing({ 'templates/cart.yaml': template, 'web.yaml': deployment('web') });
    expect(code).toBe(1);
    expect(err).toMatch(/^old\/templates\/cart\.yaml:5:\d+: error parse-error: .*; .*what helm template prints/m);
  });
});

describe('two versions of an object', () => {
  test('are reported once for each pair of files, and the first is imported', async () => {
    const both = (replicas: number) =>
      ['cart', 'web']
        .map((name) => deployment(name).replace('spec:\n', `spec:\n  replicas: ${replicas}\n`))
        .join('---\n');
    const { code, err, documents } = await importing({ 'a.yaml': both(2), 'b/b.yaml': both(3) });
    expect(code).toBe(1);
    expect(err).toBe(
      'old/b/b.yaml:3:12: error duplicate: Deployment shop/cart: metadata.name: "cart" is also the name of the Deployment at old/a.yaml:1, and 1 more object of this file is in that one, too; only those of old/a.yaml are imported; import each version of an application on its own\n',
    );
    expect(documents).toMatchObject([
      { metadata: { name: 'cart' }, spec: { replicas: 2 } },
      { metadata: { name: 'web' }, spec: { replicas: 2 } },
    ]);
  });

  test('that are equal are one', async () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n';
    const files = { 'a.yaml': namespace + deployment('cart'), 'b.yaml': namespace + deployment('web') };
    const { code, err, comments } = await importing(files);
    expect([code, err]).toEqual([0, '']);
    expect(comments.match(/- Namespace shop/g)).toHaveLength(1);
  });
});

describe('objects of another namespace', () => {
  const files = { 'a.yaml': `${deployment('cart', '')}---\n${deployment('grafana', ', namespace: default')}` };

  test('are listed with their namespace', async () => {
    const { code, comments, documents } = await importing(files, '-n', 'shop');
    expect(code).toBe(0);
    expect(documents).toMatchObject([{ metadata: { name: 'cart', namespace: 'shop' } }]);
    expect(comments).toContain(
      'Not imported, because it is in another namespace than the chosen one; add -n and its namespace: - Deployment default/grafana',
    );
    expect(comments).not.toContain('no imported workload');
  });

  test('are named if the chosen one has no workload', async () => {
    const { code, err } = await importing({ 'a.yaml': deployment('cart', ', namespace: store') }, '-n', 'shop');
    expect(code).toBe(2);
    expect(err).toContain('no workload of namespace shop in old; those of namespace store need -n store');
  });
});

test('a field without a value is absent', async () => {
  const empty = ', env: null, volumeMounts: [{name: cache, mountPath: /cache}]';
  const pod = deployment('cart', '', empty).replace(
    'spec:\n      auto',
    'spec:\n      tolerations:\n      volumes: [{name: cache, emptyDir: null}]\n      auto',
  );
  const { code, err, comments, documents } = await importing({ 'a.yaml': pod }, '-n', 'shop');
  expect([code, err]).toEqual([0, '']);
  expect(comments).not.toContain('null');
  expect(documents).toMatchObject([
    { spec: { template: { spec: { volumes: [{ name: 'cache', emptyDir: {} }], containers: [{ name: 'app' }] } } } },
  ]);
});

describe('a role binding of the default service account', () => {
  const binding = (subject: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: shop}
subjects: [{kind: ServiceAccount, name: default${subject}}]
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
`;
  const pods = deployment('cart').replace('      automountServiceAccountToken: false\n', '');

  test.each(['', ', namespace: shop'])('is one of the pods that name no other: %j', async (subject) => {
    const { code, comments, documents } = await importing({ 'a.yaml': pods, 'b.yaml': binding(subject) });
    expect(code).toBe(0);
    expect(documents).toMatchObject([{ spec: { apiAccess: true } }]);
    expect(comments).toContain(
      'RoleBinding readers: is not converted; add ServiceAccount cart to its subjects, so that the new pods keep Role reader',
    );
    expect(comments).not.toContain('no imported workload');
    expect(comments).not.toContain('no longer get a token');
  });

  test('of another namespace is not', async () => {
    const { comments, documents } = await importing({ 'a.yaml': pods, 'b.yaml': binding(', namespace: store') });
    expect(documents).not.toMatchObject([{ spec: { apiAccess: true } }]);
    expect(comments).toContain('pods no longer get a token');
    expect(comments).toContain('no imported workload has to do with it; keep it if you need it: - RoleBinding');
  });
});

describe('containers that may run as root', () => {
  const title = 'Deployment cart: spec.template.spec.securityContext: container app may run as root';

  test('are named if their project is restricted', async () => {
    const { code, comments } = await importing({ 'a.yaml': deployment('cart') });
    expect(code).toBe(0);
    expect(comments).toContain(
      `${title}; Pod Security "restricted" of Project shop, which is assumed because no manifest defines it, adds runAsNonRoot: true and drops all capabilities: if the image runs as root, the container does not start; set securityContext.runAsUser, or podSecurity: baseline in the Project`,
    );
  });

  test.each([', securityContext: {runAsUser: 101}', ', securityContext: {runAsNonRoot: true}'])(
    'are not those with %s',
    async (container) => {
      const { comments } = await importing({ 'a.yaml': deployment('cart', ', namespace: shop', container) });
      expect(comments).not.toContain('as root');
    },
  );

  test('start as before in a project with the level baseline', async () => {
    const project =
      'apiVersion: pinterest.com/v1\nkind: Project\nmetadata: {name: shop}\nspec: {team: a, podSecurity: baseline}\n';
    writeFiles({ 'all.yaml': `${platformFile}---\n${project}` });
    const { comments } = await importing({ 'a.yaml': deployment('cart') }, '--platform', 'all.yaml');
    expect(comments).not.toContain('as root');
  });
});

describe('variables of Services', () => {
  const linksOf = async (pod: string) => {
    const { code, documents } = await importing({ 'a.yaml': pod });
    expect(code).toBe(0);
    const [{ spec }] = documents as [{ spec: { template: { spec: { enableServiceLinks?: boolean } } } }];
    return spec.template.spec.enableServiceLinks;
  };

  test.each([
    [", args: ['--redis=$(REDIS_MASTER_SERVICE_HOST)']", true],
    [", command: [sh, -c, 'nc -z ${REDIS_PORT_6379_TCP_ADDR}']", true],
    [", env: [{name: URL, value: 'tcp://$(REDIS_SERVICE_HOST):$(REDIS_SERVICE_PORT_REDIS)'}]", true],
    [", args: ['$(REDIS_SERVICE_HOST)'], env: [{name: REDIS_SERVICE_HOST, value: redis}]", undefined],
    [", args: ['$(KUBERNETES_SERVICE_HOST)', REDIS_SERVICE_HOST]", undefined],
  ])('stay where the pod refers to one: %s', async (container, expected) => {
    expect(await linksOf(deployment('cart', ', namespace: shop', container))).toBe(expected);
  });

  test.each([true, false])('stay as the pod says: %s', async (links) => {
    const pod = deployment('cart').replace('      containers', `      enableServiceLinks: ${links}\n      containers`);
    expect(await linksOf(pod)).toBe(links);
  });
});

describe('a variable from a label that the pods lose', () => {
  const labels = 'labels: {app: cart, app.kubernetes.io/component: api, division: retail}';
  const variable = (label: string) =>
    `, env: [{name: SERVICE, valueFrom: {fieldRef: {fieldPath: "metadata.labels['${label}']"}}}]`;
  const cart = (label: string) =>
    deployment('cart', ', namespace: shop', variable(label)).replace('labels: {app: cart}}', `${labels}}`);

  test('has the value of the label', async () => {
    const { code, comments, documents } = await importing({ 'a.yaml': cart('app.kubernetes.io/component') });
    expect(code).toBe(0);
    expect(documents).toMatchObject([
      { spec: { template: { spec: { containers: [{ env: [{ name: 'SERVICE', value: 'api' }] }] } } } },
    ]);
    expect(comments).toContain(
      'Deployment cart: spec.template.spec.containers[app].env[SERVICE]: is now the text "api", because the new pods do not keep the label app.kubernetes.io/component; was valueFrom:',
    );
  });

  test('still refers to a label that they keep', async () => {
    const { comments, documents } = await importing({ 'a.yaml': cart('division') });
    const valueFrom = { fieldRef: { fieldPath: "metadata.labels['division']" } };
    expect(documents).toMatchObject([{ spec: { template: { spec: { containers: [{ env: [{ valueFrom }] }] } } } }]);
    expect(comments).not.toContain('SERVICE');
  });
});

describe('a file of a volume from a label that the pods lose', () => {
  const labels = 'labels: {app: cart, app.kubernetes.io/component: api, division: retail}';
  const files = (volume: string) =>
    deployment('cart')
      .replace('labels: {app: cart}}', `${labels}}`)
      .replace('      containers', `      volumes: [{name: pod, ${volume}}]\n      containers`);
  const item = (field: string) => `{path: component, fieldRef: {fieldPath: "${field}"}}`;
  const component = "metadata.labels['app.kubernetes.io/component']";

  test.each([
    [`downwardAPI: {items: [${item(component)}]}`, 'downwardAPI.items[component]'],
    [
      `projected: {sources: [{downwardAPI: {items: [${item(component)}]}}]}`,
      'projected.sources[0].downwardAPI.items[component]',
    ],
  ])('is kept, and its former text is said: %s', async (volume, path) => {
    const { code, comments, documents } = await importing({ 'a.yaml': files(volume) });
    expect(code).toBe(0);
    expect(documents).toMatchObject([{ spec: { template: { spec: { volumes: [{ name: 'pod' }] } } } }]);
    expect(comments).toContain(
      `- Deployment cart: spec.template.spec.volumes[pod].${path}: had the text "api", but the new pods do not keep the label app.kubernetes.io/component: the file is empty, or has the value that the platform sets; add a label of your own, and refer to that`,
    );
  });

  test('is said of a file with all labels', async () => {
    const { comments } = await importing({ 'a.yaml': files(`downwardAPI: {items: [${item('metadata.labels')}]}`) });
    expect(comments).toContain(
      'volumes[pod].downwardAPI.items[component]: lists the labels of the new pods, which do not keep app.kubernetes.io/component="api", or have them with the value that the platform sets',
    );
  });

  test.each(["metadata.labels['division']", 'metadata.annotations', 'metadata.name'])(
    'is not said of %s, which they keep',
    async (field) => {
      const { comments } = await importing({ 'a.yaml': files(`downwardAPI: {items: [${item(field)}]}`) });
      expect(comments).not.toContain('downwardAPI');
    },
  );
});

describe('on a terminal', () => {
  const pods = (name: string) => deployment(name).replace('      automountServiceAccountToken: false\n', '');
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: unused, namespace: shop}\n';

  test('a summary counts the workloads and what to review', async () => {
    writeFiles({ 'old/a.yaml': `${pods('cart')}---\n${deployment('web')}---\n${config}` });
    const terminal = { out: false, err: true };
    const { code, err } = await pinion(['import', '-f', 'old'], '', { terminal });
    expect(code).toBe(0);
    expect(err).toBe(`2 of 2 workloads imported from old; 1 other object is listed at the end
Review in the comments above each workload:
  2 x spec.template.spec.securityContext
  1 x spec.template.spec.automountServiceAccountToken
`);
  });

  test('a workload without problems has nothing to review', async () => {
    const safe = deployment('web', ', namespace: shop', ', securityContext: {runAsUser: 101}');
    writeFiles({ 'old/a.yaml': safe });
    const { err } = await pinion(['import', '-f', 'old'], '', { terminal: { out: false, err: true } });
    expect(err).toBe('1 of 1 workload imported from old\n');
  });
});

describe('labels that the platform owns', () => {
  const labelled = (labels: string, image = '') =>
    deployment('cart')
      .replace('labels: {app: cart}}', `labels: {app: cart, ${labels}}}`)
      .replace(/cart:1/, `cart:${image || 1}`);

  test('the version is kept, unless the image has it', async () => {
    const other = await importing({ 'a.yaml': labelled('app.kubernetes.io/version: "2.4"', '2.4-cart') });
    expect(other.documents).toMatchObject([{ spec: { version: '2.4' } }]);
    expect(other.comments).not.toContain('app.kubernetes.io/version');
    const same = await importing({ 'a.yaml': labelled('app.kubernetes.io/version: "2.4"', '2.4') });
    expect(same.documents).not.toMatchObject([{ spec: { version: expect.anything() as unknown } }]);
    expect(same.comments).not.toContain('app.kubernetes.io/version');
  });

  test('others are named once', async () => {
    const { comments } = await importing({
      'a.yaml': labelled('app.kubernetes.io/component: api, app.kubernetes.io/part-of: demo'),
    });
    expect(comments).toContain(
      'Deployment cart: spec.template.metadata.labels["app.kubernetes.io/component"]: "api" is not carried over',
    );
    expect(comments).toContain(
      'Deployment cart: spec.template.metadata.labels["app.kubernetes.io/part-of"]: "demo" is replaced by "shop"',
    );
    expect(comments.match(/app\.kubernetes\.io/g)).toHaveLength(2);
  });

  test('are named once if the Deployment has them, too', async () => {
    const labels = 'labels: {app.kubernetes.io/component: api}';
    const cart = labelled('app.kubernetes.io/component: api').replace('namespace: shop', `namespace: shop, ${labels}`);
    const { comments } = await importing({ 'a.yaml': cart });
    expect(comments).toContain('Deployment cart: metadata.labels["app.kubernetes.io/component"]: "api" is not');
    expect(comments.match(/app\.kubernetes\.io/g)).toHaveLength(1);
  });
});

describe('a service account of the pods', () => {
  const pods = (account: string) =>
    deployment('cart').replace('automountServiceAccountToken: false', `serviceAccountName: ${account}`);
  const account = (name: string) =>
    `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: ${name}, namespace: shop}\n`;

  test('with the name of the workload is that of the new pods', async () => {
    const { code, comments } = await importing({ 'a.yaml': pods('cart'), 'b.yaml': account('cart') });
    expect(code).toBe(0);
    expect(comments).not.toContain('serviceAccountName');
    expect(comments).not.toContain('no imported workload');
  });

  test('with another name is replaced', async () => {
    const { comments } = await importing({ 'a.yaml': pods('shared'), 'b.yaml': account('shared') });
    expect(comments).toContain('Deployment cart: spec.template.spec.serviceAccountName: the pods run as shared, but');
  });
});

describe('what comments say about several workloads', () => {
  const pods = (name: string) => deployment(name).replace('      automountServiceAccountToken: false\n', '');
  const said = [
    'Selectors are immutable and the pods lack',
    'An adopted Service routes only to new pods',
    'adds runAsNonRoot: true and drops all capabilities',
    'set spec.apiAccess: true if they use it',
  ];

  test('is said once, and the others refer to it', async () => {
    const { code, comments } = await importing({
      'a.yaml': pods('cart'),
      'b.yaml': `${pods('web')}---\n${pods('mail')}`,
    });
    expect(code).toBe(0);
    for (const text of said) expect(comments.split(text)).toHaveLength(2);
    expect(comments).toContain('Deployment web selects its pods by app=web (see Deployment cart above). Without');
    expect(comments).toContain(
      '- Deployment mail: spec.template.spec.securityContext: container app may run as root (see Deployment cart above)',
    );
    expect(comments).toContain(
      "kubectl delete replicaset -n shop -l 'app=web,!pinterest.com/workload'.  Please review:",
    );
  });

  test('is said for a workload that is imported alone', async () => {
    const { out } = await importing({ 'a.yaml': pods('cart'), 'b.yaml': pods('web') }, 'deployment/web', '-n', 'shop');
    const text = out.replaceAll(/\n# +/g, ' ');
    for (const part of said) expect(text.split(part)).toHaveLength(2);
  });

  test('differs for workloads with different accounts', async () => {
    const withAccount = (name: string) =>
      deployment(name).replace('automountServiceAccountToken: false', `serviceAccountName: ${name}-account`);
    const account = `apiVersion: v1
kind: ServiceAccount
metadata: {name: web-account, namespace: shop, annotations: {eks.amazonaws.com/role-arn: 'arn:aws:iam::123456789012:role/web'}}
`;
    const files = {
      'a.yaml': withAccount('cart'),
      'b.yaml': `${withAccount('web')}---\n${account}`,
      'c.yaml': withAccount('x'),
    };
    const { comments } = await importing(files);
    expect(comments).toContain('the pods run as cart-account, but each workload');
    expect(comments).toContain('the pods run as web-account, but each workload');
    expect(comments).toContain('the pods run as x-account (see Deployment cart above)');
  });
});
