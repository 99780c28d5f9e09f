import { writeFiles, pinion } from './terminal';

const load = `region: us-east-1
zones: [us-east-1a, us-east-1b, us-east-1c]
kubernetes: "1.36"
nodes: 1000
pods: 20000
`;
const history = `samples:
  - {day: 2026-01-01, nodes: 800, pods: 15000, requestsPerSecond: 800, etcdBytes: 400000000}
  - {day: 2026-02-01, nodes: 900, pods: 16000, requestsPerSecond: 900, etcdBytes: 410000000}
  - {day: 2026-03-01, nodes: 1000, pods: 17000, requestsPerSecond: 1000, etcdBytes: 420000000}
`;

test('a plan prints control plane nodes, etcd, seats, node groups, flags and assumptions', async () => {
  writeFiles({ 'load.yaml': load });
  const { code, out, err } = await pinion(['capacity', 'plan', 'load.yaml']);
  expect([code, err]).toEqual([0, '']);
  for (const line of [
    /^cluster: 1000 nodes and 20000 pods in us-east-1a, us-east-1b, us-east-1c; Kubernetes 1.36$/m,
    /^ {2}churn: 4.0 pods\/s/m,
    /^ {2}controlPlaneInstanceType +c6i.8xlarge +EC2 instance type of a control plane node$/m,
    /^ {2}etcdQuotaBytes +8 GiB/m,
    /^ {2}heavy-lists +12$/m,
    /^ {2}general +general +amd64 +c6i.2xlarge +3 +1000 +1200 +20 +32 +100/m,
    /^ {4}--max-requests-inflight=400$/m,
  ])
    expect(out).toMatch(line);
  // This cluster keeps leases in the main database.
  expect(out).not.toContain('leasesEtcdQuotaBytes');
});

test('plans a cluster stack from its configuration file', async () => {
  const file = `config:
  pinion:cluster:
    name: shop
    region: us-east-1
    zones: [us-east-1a, us-east-1b, us-east-1c]
    kubernetesVersion: "1.36"
    domain: shop.example.com
    load:
      nodes: 1000
      pods: 20000
`;
  const { code, out, err } = await pinion(['capacity', 'plan', '-'], file);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^shop: 1000 nodes and 20000 pods in us-east-1a/m);
  const wrong = await pinion(['capacity', 'plan', '-'], file.replace('1000', '0').replace('"1.36"', '"1.20"'));
  expect(wrong.code).toBe(1);
  expect(wrong.err).toMatch(/:6:\d+.*config\["pinion:cluster"\]\.kubernetesVersion/);
  expect(wrong.err).toMatch(/:9:\d+.*config\["pinion:cluster"\]\.load\.nodes/);
});

test('shows an override with the planned value', async () => {
  const { out } = await pinion(
    ['capacity', 'plan', '-'],
    `${load}overrides: {maxRequestsInflight: 640, watchCacheSizes: {secrets: 0}}\n`,
  );
  expect(out).toMatch(/maxRequestsInflight +640 seats \(overridden; planned 400 seats\)/);
  expect(out).toMatch(/watchCacheSizes +secrets#0 \(overridden; planned none\)/);
  expect(out).toContain('--watch-cache-sizes=secrets#0');
});

test('with reasons shows the formula, inputs and source of every value', async () => {
  const { out } = await pinion(['capacity', 'plan', '--reasons', '-'], load);
  expect(out).toContain('      with nodes 1000, podsPerSecond 4, controllers 10, customResourceChanges 0\n');
  const plain = (await pinion(['capacity', 'plan', '-'], load)).out;
  const values = plain.split('\n').filter((line) => /^ {2}[a-z]\w+ {2,}\S/.test(line)).length;
  expect(out.match(/^ {6}source: \S/gm)?.length).toBeGreaterThan(0.8 * values);
});

test('JSON contains the whole plan', async () => {
  const { out } = await pinion(['capacity', 'plan', '-', '-o', 'json'], load);
  const plan = JSON.parse(out) as Record<string, Record<string, unknown>>;
  expect(plan['values']?.['etcdQuotaBytes']).toMatchObject({ value: 8589934592, unit: 'bytes' });
  expect(plan['eventRateLimit']).toMatchObject({ kind: 'Configuration' });
  expect(plan['flags']?.['etcd']).toMatchObject({ 'quota-backend-bytes': '8589934592' });
});

test('reports all problems at once with their lines and prints no plan', async () => {
  writeFiles({ 'load.yaml': load.replace(', us-east-1c', '') + 'overrides:\n  watchCacheSizes: {pods: 5}\n' });
  const { code, out, err } = await pinion(['capacity', 'plan', 'load.yaml']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^load.yaml:2:1: error out-of-range: zones: /m);
  expect(err).toMatch(
    /^load.yaml:7:\d+: error unsupported-field: overrides.watchCacheSizes.pods: 5 is ignored by 1.36/m,
  );
});

test('a YAML warning does not prevent a plan', async () => {
  const { code, err, out } = await pinion(['capacity', 'plan', '-'], load.replace('20000', '20_000'));
  expect([code, err]).toEqual([0, expect.stringContaining('warning')]);
  expect(out).toContain('20000 pods');
});

test('prints a warning with the plan', async () => {
  const { code, out, err } = await pinion(
    ['capacity', 'plan', '-'],
    `${load}overrides: {controlPlaneInstanceType: m5.large}\n`,
  );
  expect([code, err]).toEqual([0, expect.stringContaining('warning out-of-range: overrides.controlPlaneInstanceType')]);
  expect(out).toContain('m5.large (overridden; planned c6i.8xlarge)');
});

test('shows the incident minute by minute, for the plan of 2020 and for the current one', async () => {
  const { code, out } = await pinion(
    ['capacity', 'simulate', '-'],
    `${load}largestNamespacePods: 20000\ncontrollers: {fullCaches: 20}\n`,
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^out of seats in minute \d+, out of memory in minute \d+, out of etcd quota in minute \d+$/m);
  expect(out).toMatch(/^enough seats, enough memory, enough etcd quota$/m);
  expect(out.match(/^15 /gm)).toHaveLength(2);
});

test('a forecast shows when limits are reached and which values to raise', async () => {
  writeFiles({ 'load.yaml': load, 'history.yaml': history });
  const { code, out, err } = await pinion(['capacity', 'forecast', 'load.yaml', 'history.yaml', '--days', '365']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^nodes +1000 nodes +1200 nodes +3.\d+ nodes +2026-0\d-\d\d/m);
  expect(out).toMatch(/^ {2}node group general: maximum nodes: 1200 -> \d+$/m);
  const json = JSON.parse((await pinion(['capacity', 'forecast', 'load.yaml', 'history.yaml', '-o', 'json'])).out) as {
    limits: unknown[];
  };
  expect(json.limits).toHaveLength(7);
});

test('reports an invalid history with its line', async () => {
  writeFiles({ 'load.yaml': load, 'history.yaml': history.replace('nodes: 900', 'nodes: -1') });
  const { code, err } = await pinion(['capacity', 'forecast', 'load.yaml', 'history.yaml']);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^history.yaml:3:\d+: error out-of-range: samples\[1\].nodes: -1/),
  ]);
});

test.each([
  [['capacity'], 'capacity requires a subcommand: plan, forecast or simulate'],
  [['capacity', 'buy'], 'unknown subcommand "buy" of capacity; use plan, forecast or simulate'],
  [['capacity', 'plan'], 'capacity plan requires FILE'],
  [['capacity', 'plan', 'a', 'b'], 'unexpected argument "b"; usage: pinion capacity plan [options] FILE'],
  [
    ['capacity', 'simulate'],
    'capacity simulate requires FILE: load description in YAML or JSON, or Pulumi.cluster-*.yaml of a cluster stack; - for standard input',
  ],
  [
    ['capacity', 'forecast', 'a'],
    'capacity forecast requires HISTORY: file with daily peaks: day, nodes, pods, requestsPerSecond and etcdBytes',
  ],
  [['capacity', 'forecast', 'a', 'b', '--days', 'x'], '--days must be an integer from 1 to 3650, not "x"'],
])('a usage error suggests a correction: %j', async (argv, message) => {
  const { code, err } = await pinion(argv);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test('reports a missing file and a file with two manifests', async () => {
  writeFiles({ 'two.yaml': `${load}---\n${load}` });
  expect(await pinion(['capacity', 'plan', 'none.yaml'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('does not exist'),
  });
  expect(await pinion(['capacity', 'plan', 'two.yaml'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('contains 2 documents'),
  });
});

test('reports a stack file without a cluster with the most similar key', async () => {
  writeFiles({
    'misspelt.yaml': 'config:\n  pinion:clustr:\n    load: { nodes: 3 }\n',
    'platform.yaml': 'config:\n  pinion:platform:\n    team: a\n',
  });
  const misspelt = await pinion(['capacity', 'plan', 'misspelt.yaml']);
  expect(misspelt.code).not.toBe(0);
  expect(misspelt.err).toContain('is missing: this stack file does not describe a cluster');
  expect(misspelt.err).toContain('rename "pinion:clustr" to "pinion:cluster"');
  const platform = await pinion(['capacity', 'plan', 'platform.yaml']);
  expect(platform.err).toContain('such as Pulumi.cluster-prod.yaml');
});
