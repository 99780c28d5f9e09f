import { loadAll } from 'js-yaml';
import { examine, isError, type Workload } from '../../lib/api';
import { examineExpansion, resolve } from '../../lib/expand';
import { given, pinion } from './terminal';

const image = 'registry.example.com/pinion/submission:1.0.0';
const config = `store: s3://artifacts/store
clusters: [{ name: prod-1 }] # the one that it runs on
identity:
  issuers: [{ issuer: https://login.example.com, audience: pinion, groupsClaim: groups }]
`;
const objectsOf = ['submission', 'objects', '--image', image, '--config', 'submission.yaml'];

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

test('objects prints its Project, its rights and a workload that this Project can run, without a problem', async () => {
  given({ 'submission.yaml': config });
  const { code, out, err } = await pinion([...objectsOf, '--secret', 'session', '--host', 'deploy.example.com']);
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
  const [project, service] = [objects[0], objects.at(-1)].map((one) => examine(one));
  const problems = [...(project?.problems ?? []), ...(service?.problems ?? [])];
  expect(problems.filter(isError)).toEqual([]);
  const cluster = resolve([project?.completed as never]).project('pinion-submission');
  const made = examineExpansion(service?.completed as Workload, cluster);
  expect(made.objects?.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Deployment', 'Service', 'ConfigMap']));
  expect(out).toContain('deploy.example.com');
});

test('what it is told reaches it as it was written, with the ports of the workload', async () => {
  given({ 'submission.yaml': config });
  const { out } = await pinion([...objectsOf, '-o', 'json', '--project', 'delivery']);
  const list = JSON.parse(out) as { items: { spec?: { config?: { files: Record<string, string> } } }[] };
  const file = list.items.at(-1)?.spec?.config?.files['/etc/pinion/submission.json'] ?? '';
  expect(JSON.parse(file)).toEqual({
    store: 's3://artifacts/store',
    clusters: [{ name: 'prod-1' }],
    identity: {
      issuers: [{ issuer: 'https://login.example.com', audience: 'pinion', groupsClaim: 'groups' }],
    },
    port: 8080,
    statusPort: 8081,
  });
  expect(out).toContain('"namespace":"delivery"');
});

test('all that is wrong with what it is told comes at once, each with its line, and nothing is printed', async () => {
  given({ 'submission.yaml': 'store: somewhere\nclusters: []\ncolour: red\nidentity:\n  issuers: []\n' });
  const { code, out, err } = await pinion([...objectsOf, '--project', 'Delivery']);
  expect([code, out]).toEqual([1, '']);
  for (const told of [
    /error \S+: Project Delivery: metadata\.name/,
    /submission\.yaml:1:\d+: error bad-format: store/,
    /submission\.yaml:2:\d+: error \S+: clusters/,
    /submission\.yaml:3:\d+: error unknown-field: colour/,
    /submission\.yaml:4:\d+: error required: identity: is nobody/,
  ])
    expect(err).toMatch(told);
});

test('an image without tag or digest is told of with what else is wrong', async () => {
  given({ 'submission.yaml': 'store: somewhere\n' });
  const argv = ['submission', 'objects', '--image', 'registry:5000/submission', '--config', 'submission.yaml'];
  const { code, out, err } = await pinion([...argv, '--host', 'Deploy']);
  expect([code, out]).toEqual([1, '']);
  for (const told of [
    'PinterestService pinion-submission/submission: spec.loadBalancer.hosts[0]: "Deploy" is not a lower-case host name',
    'spec.template.spec.containers[0].image: "registry:5000/submission" is not an image with its tag or digest; write',
    'store: "somewhere" is no place for objects',
  ])
    expect(err).toContain(told);
});

test.each([
  [['submission'], 'submission needs a word: objects'],
  [['submission', 'objects', '--image', image], 'needs --config FILE and --image IMAGE'],
  [[...objectsOf, 'more'], 'takes options only, not more'],
  [[...objectsOf, '--replicas', '0'], '--replicas takes a number from 1 to 20'],
])('%j is wrong usage', async (argv, message) => {
  given({ 'submission.yaml': config });
  expect(await pinion(argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});

test('a file that is not there is told of by exit code 3', async () => {
  given({});
  expect((await pinion(objectsOf)).code).toBe(3);
});
