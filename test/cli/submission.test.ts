import { loadAll } from 'js-yaml';
import { safeParseManifest, isError, type Workload } from '../../lib/api';
import { safeExpand, resolvePlatform } from '../../lib/expand';
import { writeFiles, pinion } from './terminal';

const image = 'registry.example.com/pinion/submission:1.0.0';
const config = `artifactStore: s3://artifacts/store
clusters: [{ name: prod-1 }] # the one that it runs on
identity:
  issuers: [{ issuer: https://login.example.com, audience: pinion, groupsClaim: groups }]
`;
const manifestsCommand = ['submission', 'manifests', '--image', image, '--config', 'submission.yaml'];

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

test('manifests prints its Project, its RBAC and a valid workload for that Project', async () => {
  writeFiles({ 'submission.yaml': config });
  const { code, out, err } = await pinion([...manifestsCommand, '--secret', 'session', '--host', 'deploy.example.com']);
  expect([code, err]).toEqual([0, '']);
  const objects = loadAll(out) as Printed[];
  expect(objects.map(({ kind }) => kind)).toEqual([
    'Project',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
    'PinterestService',
  ]);
  const [project, service] = [objects[0], objects.at(-1)].map((object) => safeParseManifest(object));
  const problems = [...(project?.problems ?? []), ...(service?.problems ?? [])];
  expect(problems.filter(isError)).toEqual([]);
  const cluster = resolvePlatform([project?.manifest as never]).project('pinion-submission');
  const expanded = safeExpand(service?.manifest as Workload, cluster);
  expect(expanded.objects?.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['Deployment', 'Service', 'ConfigMap']),
  );
  expect(out).toContain('deploy.example.com');
});

test('passes settings through unchanged, with the ports of the workload', async () => {
  writeFiles({ 'submission.yaml': config });
  const { out } = await pinion([...manifestsCommand, '-o', 'json', '--project', 'delivery']);
  const list = JSON.parse(out) as { items: { spec?: { config?: { files: Record<string, string> } } }[] };
  const file = list.items.at(-1)?.spec?.config?.files['/etc/pinion/submission.json'] ?? '';
  expect(JSON.parse(file)).toEqual({
    artifactStore: 's3://artifacts/store',
    clusters: [{ name: 'prod-1' }],
    identity: {
      issuers: [{ issuer: 'https://login.example.com', audience: 'pinion', groupsClaim: 'groups' }],
    },
    port: 8080,
    statusPort: 8081,
  });
  expect(out).toContain('"namespace":"delivery"');
});

test('reports all invalid settings at once, each with its line, and prints no manifest', async () => {
  writeFiles({ 'submission.yaml': 'artifactStore: somewhere\nclusters: []\ncolour: red\nidentity:\n  issuers: []\n' });
  const { code, out, err } = await pinion([...manifestsCommand, '--project', 'Delivery']);
  expect([code, out]).toEqual([1, '']);
  for (const message of [
    /error \S+: Project Delivery: metadata\.name/,
    /submission\.yaml:1:\d+: error bad-format: artifactStore/,
    /submission\.yaml:2:\d+: error \S+: clusters/,
    /submission\.yaml:3:\d+: error unknown-field: colour/,
    /submission\.yaml:4:\d+: error required: identity: has no token issuer/,
  ])
    expect(err).toMatch(message);
});

const session = (more = ''): string => `${config}  session:
    issuer: https://login.example.com
    clientId: pinion
    publicUrl: https://deploy.example.com
    keysFile: /etc/pinion/session/keys
${more}`;

test('reports files that no Secret provides, with the option that mounts one', async () => {
  writeFiles({ 'submission.yaml': session('    clientSecretFile: /etc/pinion/session/client-secret\n') });
  const { code, out, err } = await pinion(manifestsCommand);
  expect([code, out]).toEqual([1, '']);
  expect(err.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^submission\.yaml:9:\d+: error unknown-reference: identity\.session\.keysFile: .*is not in a Secret of the service; mount a Secret \(--secret NAME\) with the key keys$/,
    ),
    expect.stringMatching(
      /^submission\.yaml:10:\d+: error \S+ identity\.session\.clientSecretFile: .*key client-secret$/,
    ),
  ]);
  const mounted = await pinion([...manifestsCommand, '--secret', 'session']);
  expect([mounted.code, mounted.err]).toEqual([0, '']);
  expect(mounted.out).toMatch(/secrets:\n +files:\n +\/etc\/pinion\/session:\n +name: session\n/);
});

test('reports files elsewhere and folders without storage, even with a Secret', async () => {
  const otherCluster = '{ name: prod-2, kubeconfig: /etc/pinion/clusters/prod-2 }';
  writeFiles({
    'submission.yaml': config
      .replace('{ name: prod-1 }', `{ name: prod-1 }, ${otherCluster}`)
      .replace('s3://artifacts/store', '/var/lib/artifacts'),
  });
  const { code, err } = await pinion([...manifestsCommand, '--secret', 'session']);
  expect(code).toBe(1);
  expect(err).toMatch(/clusters\[1\]\.kubeconfig: .*is not in a Secret .*; use a file in \/etc\/pinion\/session and/);
  expect(err).toMatch(
    /submission\.yaml:1:\d+: error \S+ artifactStore: .* is a folder in the pod, whose content is lost when the pod is deleted; use s3:/,
  );
});

test('rejects duplicate clusters, invalid proxies, other ports and keys under folders at once', async () => {
  writeFiles({
    'submission.yaml': `${config.replace('{ name: prod-1 }', '{ name: prod-1 }, { name: prod-1 }, { name: prod-2 }')}port: 9999
trustedProxies: [10.0.0.0/8, loopback, 'fd00::1', foo]
breakGlassWebhookFile: /etc/pinion/session/hooks/glass
`,
  });
  const { code, out, err } = await pinion([...manifestsCommand, '--secret', 'session']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/clusters\[1\]\.name: "prod-1" is the name of an earlier cluster/);
  expect(err).toMatch(
    /clusters\[2\]\.kubeconfig: is missing, but an earlier cluster already defaults to the one that the service runs on/,
  );
  expect(err).toMatch(/trustedProxies\[3\]: must be an address or a range/);
  expect(err).toMatch(/platform-owned: port: 9999 is set by the printed workload/);
  expect(err).toMatch(/breakGlassWebhookFile: .*is not in a Secret/);
  expect(err).not.toMatch(/trustedProxies\[[0-2]\]/);
});

test.each(['https://ben:hunter2@hooks.example.com/', 'https://hooks.example.com/?token=hunter2'])(
  'a webhook with a secret must be in a file of a Secret: %s',
  async (url) => {
    writeFiles({ 'submission.yaml': `${config}breakGlassWebhook: ${url}\n` });
    const { code, out, err } = await pinion(manifestsCommand);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/error bad-format: breakGlassWebhook: contains a secret.*; .*breakGlassWebhookFile/);
    expect(err).not.toContain('hunter2');
  },
);

test('a webhook has a URL or a file, not both', async () => {
  const both = 'breakGlassWebhook: https://a.example.com\nbreakGlassWebhookFile: /etc/pinion/session/webhook\n';
  writeFiles({ 'submission.yaml': config + both });
  const { code, err } = await pinion([...manifestsCommand, '--secret', 'session']);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('invalid-combination: breakGlassWebhookFile: is set together with'),
  ]);
});

test('reports an image without tag or digest with all other problems', async () => {
  writeFiles({ 'submission.yaml': 'artifactStore: somewhere\n' });
  const argv = ['submission', 'manifests', '--image', 'registry:5000/submission', '--config', 'submission.yaml'];
  const { code, out, err } = await pinion([...argv, '--host', 'Deploy']);
  expect([code, out]).toEqual([1, '']);
  for (const message of [
    'PinterestService pinion-submission/submission: spec.loadBalancer.hosts[0]: "Deploy" is not a lower-case host name',
    'spec.template.spec.containers[0].image: "registry:5000/submission" is not an image with its tag or digest; write',
    'artifactStore: "somewhere" must be a store location',
  ])
    expect(err).toContain(message);
});

test.each([
  [['submission'], 'submission requires a subcommand: manifests'],
  [['submission', 'manifests', '--image', image], 'submission manifests requires --config FILE'],
  [
    [...manifestsCommand, 'more'],
    'unexpected argument "more"; usage: pinion submission manifests --config FILE --image IMAGE [options]',
  ],
  [[...manifestsCommand, '--replicas', '0'], '--replicas must be an integer from 1 to 20, not "0"'],
])('%j is a usage error', async (argv, message) => {
  writeFiles({ 'submission.yaml': config });
  expect(await pinion(argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});

test('a missing file is exit code 3', async () => {
  writeFiles({});
  expect((await pinion(manifestsCommand)).code).toBe(3);
});
