import { loadAll } from 'js-yaml';
import { type ManifestInput } from '../../lib/api';
import { writeFiles, testFolder, pinion } from './terminal';
import { importCases, platformFile } from './import.cases';
import { runCases } from './import-runs.cases';

const documentOf = (text: string): ManifestInput => loadAll(text)[0] as ManifestInput;
/** The comments as one line, independent of line breaks. */
const commentsOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => line.slice(1).trim())
    .join(' ');

describe.each([...importCases, ...runCases])('$title', (importCase) => {
  const { objects, word, spec, comments, absentComments = [], more = [] } = importCase;
  beforeEach(() => writeFiles({ 'old.yaml': objects, 'pinion.platform.yaml': platformFile }));
  const run = () => pinion(['import', word, '-f', 'old.yaml', ...more]);

  test('is imported as expected', async () => {
    const { code, out, err } = await run();
    expect([code, err]).toEqual([0, '']);
    expect(documentOf(out).spec).toEqual(spec);
    for (const comment of comments) expect(commentsOf(out)).toContain(comment);
    for (const comment of absentComments) expect(commentsOf(out)).not.toContain(comment);
  });

  test('passes pinion check', async () => {
    writeFiles({ 'new.yaml': (await run()).out });
    const { code, out } = await pinion(['check', '--as-controller', 'new.yaml']);
    expect([code, out]).toEqual([0, expect.not.stringContaining('error')]);
  });
});

test('omits unsupported fields with a remedy and imports the others', async () => {
  writeFiles({
    'old.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: odd, namespace: shop}
spec:
  selector: {matchLabels: {app: odd}}
  template:
    metadata:
      labels: {app: odd, app.kubernetes.io/name: even}
    spec:
      hostname: odd
      schedulerName: mine
      hostNetwork: true
      priorityClassName: urgent
      containers:
        - name: app
          image: registry.example.com/odd:1
          env:
            - {name: PINION_CLUSTER, value: hidden}
            - {name: MODE, value: fast}
`,
  });
  const { code, out, err } = await pinion(['import', 'deploy/odd', '-f', 'old.yaml']);
  expect([code, err]).toEqual([0, '']);
  const comments = commentsOf(out);
  for (const part of [
    'template.spec.hostname: is set by the platform',
    'template.spec.schedulerName: is set by the platform',
    'template.spec.hostNetwork: is set by the platform; use a PinterestDaemon',
    'urgent is not a tier of this Platform',
    'spec.template.metadata.labels["app.kubernetes.io/name"]: "even" is replaced by "odd"',
    'spec.template.spec.containers[0].env[0] (PINION_CLUSTER): omitted',
    'was {"name":"PINION_CLUSTER","value":"hidden"}',
    'template.spec.hostname: is set by the platform; remove it; members of a set have stable names; was "odd"',
  ])
    expect(comments).toContain(part);
  expect(out).toContain('name: MODE');
});

test('reports what only the user can decide, and still writes the manifest', async () => {
  writeFiles({
    'old.yaml': `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: shop}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: 'registry.example.com/agent:1'}]}
`,
  });
  const { code, out, err } = await pinion(['import', 'ds/agent', '-f', 'old.yaml']);
  expect(code).toBe(1);
  expect(err).toContain('is a daemon in a project that is not for infrastructure');
  expect(documentOf(out)).toMatchObject({ kind: 'PinterestDaemon', metadata: { name: 'agent', namespace: 'shop' } });
});

describe('a workload that pinion rendered', () => {
  const manifest = `apiVersion: pinterest.com/v1
kind: PinterestService
metadata: {name: cart, namespace: shop, labels: {division: retail}}
spec:
  loadBalancer: {port: 8080}
  template:
    metadata: {labels: {color: blue}, annotations: {example.com/note: kept}}
    spec:
      containers:
        - name: app
          image: 'registry.example.com/cart:1'
          ports: [{containerPort: 8080}]
          env: [{name: MODE, value: fast}]
          volumeMounts: [{name: data, mountPath: /data}]
      volumes: [{name: data, emptyDir: {}}]
`;
  const imported = async () => {
    writeFiles({ 'new.yaml': manifest });
    const { out } = await pinion(['render', 'new.yaml', '-q']);
    expect(out).toContain('PINION_CLUSTER');
    writeFiles({ 'old.yaml': out });
    return pinion(['import', 'deployment/cart', '-f', 'old.yaml']);
  };

  test('is imported unchanged, with no notes on fields that the platform added', async () => {
    const { code, out, err } = await imported();
    expect([code, err]).toEqual([0, '']);
    expect(commentsOf(out)).toContain("its selector already matches pinion's");
    expect(commentsOf(out)).not.toContain('Please review');
    expect(out).not.toMatch(/PINION_|pinion-/);
  });

  test('keeps user-written fields', async () => {
    expect(documentOf((await imported()).out)).toMatchObject({
      metadata: { name: 'cart', namespace: 'shop' },
      spec: {
        adopt: true,
        template: {
          metadata: { labels: { division: 'retail', color: 'blue' }, annotations: { 'example.com/note': 'kept' } },
          spec: {
            containers: [
              {
                name: 'app',
                env: expect.arrayContaining([{ name: 'MODE', value: 'fast' }]) as unknown,
                volumeMounts: [{ name: 'data', mountPath: '/data' }],
              },
            ],
            volumes: [{ name: 'data', emptyDir: {} }],
          },
        },
      },
    });
  });
});

test.each([
  [['-f', 'old.yaml'], 'PinterestService', 'kubectl get psvc cart -n shop -o yaml'],
  [['-f', 'old.yaml', '--name', 'cart-2'], 'PinterestService', 'kubectl get psvc cart -n shop -o yaml'],
  [['-f', 'old.yaml'], 'Platform', 'kubectl get plat cart -o yaml'],
])(
  'does not import objects that a custom resource manages, and reports that resource: %j %s',
  async (argv, kind, command) => {
    writeFiles({
      'old.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  namespace: shop
  ownerReferences: [{apiVersion: pinterest.com/v1, kind: ${kind}, name: cart, uid: u, controller: true}]
spec:
  selector: {matchLabels: {app: cart}}
  template: {metadata: {labels: {app: cart}}, spec: {containers: [{name: app, image: 'registry.example.com/cart:1'}]}}
`,
    });
    const { code, out, err } = await pinion(['import', 'deployment/cart', ...argv]);
    expect([code, out, err.split('\n')]).toEqual([1, '', [expect.any(String), '']]);
    expect(err).toContain('error platform-owned: Deployment shop/cart: metadata.ownerReferences:');
    expect(err).toContain(`is already managed by ${kind} cart`);
    expect(err).toContain(command);
  },
);

test('imports objects that another operator owns', async () => {
  writeFiles({
    'old.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  namespace: shop
  ownerReferences: [{apiVersion: example.com/v1, kind: Shop, name: cart, uid: u, controller: true}]
spec:
  selector: {matchLabels: {app: cart}}
  template: {metadata: {labels: {app: cart}}, spec: {containers: [{name: app, image: 'registry.example.com/cart:1'}]}}
`,
  });
  const { code, out } = await pinion(['import', 'deployment/cart', '-f', 'old.yaml']);
  expect([code, documentOf(out)]).toMatchObject([0, { kind: 'PinterestService', metadata: { name: 'cart' } }]);
});

test.each([
  [['import'], 'import requires KIND/NAME: native workload, such as deployment/cart'],
  [
    ['import', 'cart', '-f', 'old.yaml'],
    'import requires KIND/NAME with Deployment, StatefulSet, CronJob, DaemonSet, Job, JobSet, TFJob, PyTorchJob, JAXJob, not "cart"',
  ],
  [['import', 'deploymnt/cart', '-f', 'old.yaml'], 'did you mean Deployment?'],
  [['import', 'deployment/none', '-f', 'old.yaml'], 'no Deployment none in old.yaml'],
])('a usage error suggests a correction: %j', async (argv, message) => {
  writeFiles({ 'old.yaml': '{}' });
  const { code, err } = await pinion(argv);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test('reports a missing cluster connection', async () => {
  writeFiles({ config: 'apiVersion: v1\nkind: Config\n' });
  const { code, err } = await pinion(['import', 'deployment/cart', '--kubeconfig', `${testFolder()}/config`]);
  expect([code, err]).toEqual([3, expect.stringContaining('cannot connect to a cluster')]);
});

describe('a run that cannot be converted', () => {
  test.each([
    [
      'a PyTorchJob with an unknown role',
      `apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: run, namespace: shop}
spec: {pytorchReplicaSpecs: {Launcher: {}}}
`,
      'has replicas of the role Launcher',
    ],
    [
      'a JAXJob with a role that JAX does not have',
      `apiVersion: kubeflow.org/v1
kind: JAXJob
metadata: {name: run, namespace: shop}
spec: {jaxReplicaSpecs: {Master: {}}}
`,
      'has replicas of the role Master, which jax does not have',
    ],
  ])('%s is named, and others are imported', async (_, objects, reason) => {
    const other = `---
apiVersion: batch/v1
kind: Job
metadata: {generateName: once-, namespace: shop}
spec: {template: {spec: {containers: [{name: app, image: 'registry.example.com/app:1'}]}}}
`;
    writeFiles({ 'old.yaml': objects + other, 'pinion.platform.yaml': platformFile });
    const { code, out, err } = await pinion(['import', '-f', 'old.yaml']);
    expect(code).toBe(1);
    expect(err).toContain(reason);
    expect(commentsOf(out)).toContain(`shop/run ${reason}`);
    expect(commentsOf(out)).toContain('the custom resource has the name once: change it for each run');
    expect(documentOf(out)).toMatchObject({ kind: 'PinterestJobSet', metadata: { name: 'once' } });
  });
});
