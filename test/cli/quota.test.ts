import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { writeFiles, testFolder, pinion, service } from './terminal';

const day = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
const usage = JSON.stringify({
  usage: [
    {
      project: 'shop',
      days: Array.from({ length: 60 }, (_, index) => ({
        day: day(index),
        peaks: { pods: index === 40 ? 25 : 20, 'requests.cpu': '10' },
      })),
    },
  ],
});
const shop = `# Team of the shop.
apiVersion: pinterest.com/v1
kind: Project
metadata: { name: shop } # the namespace
spec:
  team: commerce
  # Pages go here.
  onCall: '#commerce'
  businessHours: { timeZone: Europe/Berlin }
`;
const ads = `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: ads}
spec:
  quota: {pods: '7'} # manual
  team: ads
`;

const readFile = (file: string) => readFileSync(join(testFolder(), file), 'utf8');

test('a proposal is a Project with a reason for each value and all other fields as written', async () => {
  writeFiles({ 'usage.json': usage, 'shop.yaml': shop });
  const { code, out, err } = await pinion(['quota', 'propose', '--usage', 'usage.json', 'shop.yaml']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain("    pods: '30' # peak 25 on 2026-02-10 x 1.2\n");
  expect(loadAll(out)).toEqual([
    {
      ...(loadAll(shop)[0] as object),
      spec: {
        team: 'commerce',
        onCall: '#commerce',
        businessHours: { timeZone: 'Europe/Berlin' },
        quota: { pods: '30', 'requests.cpu': '12' },
      },
    },
  ]);
});

test('JSON output is also written to the given file', async () => {
  writeFiles({ 'usage.json': usage, 'shop.yaml': shop });
  const argv = ['quota', 'propose', '--usage', 'usage.json', '-o', 'json', '--file', 'out.json', 'shop.yaml'];
  expect(await pinion(argv)).toMatchObject({ code: 0, out: '' });
  expect(JSON.parse(readFile('out.json'))).toMatchObject({ proposals: [{ project: 'shop' }] });
});

test('in place, only the quota of each file changes, comments are kept, and a second run changes nothing', async () => {
  writeFiles({ 'usage.json': usage, 'projects/all.yaml': `${shop}---\n${ads}` });
  const propose = () => pinion(['quota', 'propose', '--usage', 'usage.json', '--in-place', 'projects']);
  expect(await propose()).toMatchObject({ code: 0, out: '', err: 'projects/all.yaml changed\n' });
  const after = readFile('projects/all.yaml');
  expect(after).toBe(
    `${shop}  quota:
    pods: '30' # peak 25 on 2026-02-10 x 1.2
    requests.cpu: '12' # peak 10 on 2026-01-01 x 1.2
---
apiVersion: pinterest.com/v1
kind: Project
metadata: {name: ads}
spec:
  quota:
    pods: '7' # kept: it has no history
  team: ads
`,
  );
  expect(await propose()).toMatchObject({ code: 0 });
  expect(readFile('projects/all.yaml').replace(/ #.*/g, '')).toBe(after.replace(/ #.*/g, ''));
});

test('a file that cannot be edited in place is not changed, and neither are the others', async () => {
  writeFiles({
    'usage.json': usage,
    'projects/ads.json':
      '{"apiVersion":"pinterest.com/v1","kind":"Project","metadata":{"name":"ads"},"spec":{"team":"ads"}}',
    'projects/shop.yaml': shop,
  });
  const { code, err } = await pinion(['quota', 'propose', '--usage', 'usage.json', '--in-place', 'projects']);
  expect([code, err]).toEqual([1, expect.stringContaining('projects/ads.json cannot be edited in place')]);
  expect(readFile('projects/shop.yaml')).toBe(shop);
});

test('workloads in the inputs are counted at their maximum requests', async () => {
  const large = service('cart').replace('replicas: 2', 'autoscaling: {minReplicas: 2, maxReplicas: 90, cpu: 70}');
  writeFiles({ 'usage.json': usage, 'shop.yaml': shop, 'cart.yaml': large });
  const { code, out, err } = await pinion(['quota', 'propose', '--usage', 'usage.json', 'shop.yaml', 'cart.yaml']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/pods: '\d+' # requests of its workloads at their maximum, (9\d|1\d\d); peak 25/);
});

test('an invalid history is rejected with its locations', async () => {
  writeFiles({
    'usage.yaml': 'usage:\n- project: shop\n  days:\n  - {day: 2026-01-01, peaks: {pods: many}}\n',
    'shop.yaml': shop,
  });
  const { code, out, err } = await pinion(['quota', 'propose', '--usage', 'usage.yaml', 'shop.yaml']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^usage.yaml:4:\d+: error bad-format: usage\[0\].days\[0\].peaks.pods: "many" is not a quantity/);
});

const nodes = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: ['a', 'b', 'c'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: name === 'c' ? { unschedulable: true } : {},
    status: { allocatable: { cpu: '7910m', memory: '30Gi', pods: '110' } },
  })),
});
const prices = `currency: USD
prices:
  - {resource: requests.cpu, price: 20}
  - {resource: requests.memory, each: 1Gi, price: 2.5}
`;
const platformFile = `apiVersion: pinterest.com/v1
kind: Platform
metadata: {name: cluster}
spec:
  cluster: one
  domain: apps.example.com
  tiers: [{name: standard, priority: 1}]
  defaultTier: standard
  resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 256Mi}}
  defaultQuota: {pods: '20', requests.memory: 10Gi}
`;

describe('a review', () => {
  const after = `${shop}  quota: {pods: '30', requests.cpu: '12'}\n`;
  beforeEach(() =>
    writeFiles({
      'usage.json': usage,
      'pinion.platform.yaml': platformFile,
      'old/shop.yaml': shop,
      'old/ads.yaml': ads,
      'new.yaml': after,
      'nodes.json': nodes,
      'prices.yaml': prices,
    }),
  );
  const all = ['--usage', 'usage.json', '--nodes', 'nodes.json', '--prices', 'prices.yaml'];

  test('shows each change with its headroom, sums against the nodes, and cost', async () => {
    const { code, out, err } = await pinion(['quota', 'review', 'old', 'new.yaml', ...all]);
    expect([code, err]).toEqual([0, '']);
    // 25 of 30 pods, 37 of the 220 pods of two nodes, 12 cores at 20, and unchanged memory.
    expect(out).toBe(`PROJECT  RESOURCE      OLD  NEW  PEAK  HEADROOM
shop     pods          20   30   25    17 %
shop     requests.cpu  -    12   10    17 %

ALL PROJECTS     OLD   NEW   CAPACITY  SHARE
pods             27    37    220       17 %
requests.cpu     0     12    15820m    76 %
requests.memory  20Gi  20Gi  60Gi      33 %

USD PER MONTH  OLD    NEW     CHANGE
shop           25.00  265.00  +240.00
all projects   50.00  290.00  +240.00
`);
    const page = readFileSync(join(__dirname, '../../docs/quota.md'), 'utf8');
    expect(page.replace(/^ {3}/gm, '')).toContain(out);
  });

  test('as JSON contains all of it', async () => {
    const { out } = await pinion(['quota', 'review', 'old', 'new.yaml', ...all, '-o', 'json']);
    expect(JSON.parse(out)).toMatchObject({
      values: [{ project: 'shop', resource: 'pods', before: '20', after: '30', peak: '25' }, {}],
      cost: { currency: 'USD', per: 'month', after: 290 },
    });
  });

  test("warns of a quota below the peak, and rejects more than the nodes' allowed share", async () => {
    writeFiles({ 'new.yaml': after.replace("'30'", "'24'") });
    const { code, err } = await pinion(['quota', 'review', 'old', 'new.yaml', ...all, '--overcommit', '0.5']);
    expect(code).toBe(1);
    expect(err).toContain('warning out-of-range: Project shop: spec.quota.pods: "24" is less than the peak');
    expect(err).toContain('error out-of-range: Quotas of all Projects: ["requests.cpu"]: "12" is more than 0.5 times');
  });

  test('--overcommit requires --nodes', async () => {
    const argv = ['quota', 'review', 'old', 'old', '--overcommit', '1'];
    expect(await pinion(argv)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--overcommit requires --nodes'),
    });
  });

  test('reports that nothing changes', async () => {
    expect(await pinion(['quota', 'review', 'old', 'old'])).toMatchObject({ code: 0, out: 'No quota changes.\n' });
  });
});

test('status and propose report that there are no Projects', async () => {
  writeFiles({ 'none.yaml': '' });
  for (const word of ['status', 'propose'])
    expect(await pinion(['quota', word, 'none.yaml'])).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'error required: (document): the inputs contain no Project; add the files of the Projects',
      ) as string,
    });
});

test('status shows the state of each project and when its quota is exhausted', async () => {
  const growing = JSON.stringify({
    usage: [
      {
        project: 'shop',
        days: Array.from({ length: 60 }, (_, index) => ({ day: day(index), peaks: { pods: 20 + index } })),
      },
    ],
  });
  writeFiles({
    'usage.json': growing,
    'shop.yaml': `${shop}  quota: {pods: '100'}\n`,
    'pinion.platform.yaml': platformFile,
  });
  const { code, out, err } = await pinion(['quota', 'status', '--usage', 'usage.json', 'shop.yaml']);
  expect([code, err]).toEqual([0, '']);
  // 79 pods on 1 March and one more each day reach 100 after 21 days.
  expect(out.split('\n')[1]?.split(/ {2,}/)).toEqual([
    'shop',
    'pods',
    'filling',
    '79',
    '100',
    '79 %',
    '2026-03-22',
    '2026-03-22',
    '2026-03-22',
  ]);
});

test('manifests prints the objects that run the monitor', async () => {
  const { out } = await pinion(['quota', 'manifests', '--image', 'registry.example.com/pinion/quota:1.0.0']);
  expect(loadAll(out).map((object) => (object as { kind: string }).kind)).toEqual([
    'Project',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
    'PinterestCronJob',
  ]);
});

test('manifests rejects an image without tag or digest', async () => {
  const { code, out, err } = await pinion(['quota', 'manifests', '--image', 'quota']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(
    /PinterestCronJob \S+: spec\.template\.\S+\.image: "quota" is not an image with its tag or digest; /,
  );
});

test('reports an unavailable Prometheus without its URL', async () => {
  writeFiles({ 'shop.yaml': shop });
  const system = { environment: {}, clock: { now: () => 0, after: () => () => undefined, random: () => 0 } };
  const argv = ['quota', 'propose', '--prometheus', 'http://SECRET@127.0.0.1:1/', 'shop.yaml'];
  const { code, err } = await pinion(argv, '', { system });
  expect([code, err]).toEqual([3, 'pinion: Prometheus cannot be reached (ECONNREFUSED)\n']);
});

test('rejects an invalid price with its location', async () => {
  writeFiles({
    'a.yaml': shop,
    'p.yaml': 'currency: USD\nprices: [{resource: cpu, price: 1}, {resource: pods, each: 0, price: 1}]\n',
  });
  const { code, err } = await pinion(['quota', 'review', 'a.yaml', 'a.yaml', '--prices', 'p.yaml']);
  expect(code).toBe(1);
  expect(err).toMatch(/p.yaml:2:\d+: error bad-format: prices\[0\].resource: "cpu" is not a quota resource/);
  expect(err).toMatch(/prices\[1\].each: 0 is not a positive amount/);
});

test.each([
  [['quota'], 'quota requires a subcommand: propose, review, status or manifests'],
  [['quota', 'review', 'a'], 'quota review requires NEW: file or folder of the changed Projects'],
  [
    ['quota', 'propose'],
    'quota propose requires INPUT: Projects: files, folders (all *.yaml, *.yml and *.json files in them), or - for standard input',
  ],
  [
    ['quota', 'status'],
    'quota status requires INPUT: Projects: files, folders (all *.yaml, *.yml and *.json files in them), or - for standard input',
  ],
  [['quota', 'manifests'], 'quota manifests requires --image IMAGE'],
  [
    ['quota', 'propose', 'a.yaml', '--keep', '2026-13-01'],
    '--keep must be days, such as 2026-05-02,2026-05-03, not "2026-13-01"',
  ],
  [
    ['quota', 'propose', 'a.yaml', '--keep', '2026-05-02,'],
    '--keep must be a list without empty items, not "2026-05-02,"',
  ],
  [['quota', 'propose', 'a.yaml', '--in-place', '--file', 'b.yaml'], '--in-place cannot be combined with --file'],
  [['quota', 'propose', 'a.yaml', '--in-place', '-o', 'json'], '--in-place cannot be combined with --output json'],
  [['quota', 'status', 'a.yaml', '--factor', '2', '--overcommit', '2'], 'unknown option --factor'],
  [['quota', 'manifests', '--image', 'a:1', '--live'], 'unknown option --live'],
  [['quota', 'propose', 'a.yaml', '--days', '20'], '--days requires --prometheus'],
  [['quota', 'status', 'a.yaml', '--context', 'one'], '--context requires --live'],
  [['quota', 'propose', 'a.yaml', '--factor', '0.5'], '--factor must be a number from 1 to 10, such as 1.2'],
])('%j is a usage error', async (argv, message) => {
  writeFiles({ 'a.yaml': shop });
  expect(await pinion(argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});
