import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  dashboardConfigMaps,
  dashboards,
  podMonitors,
  prometheusRules,
  ruleConfigMap,
  ruleFile,
} from '../../lib/observability';
import { readDocuments } from '../../lib/yaml';
import { writeFiles, pinion, service } from './terminal';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const documents = (text: string): unknown[] => readDocuments(text, 'out').documents.map(({ value }) => value);

test('rules and monitors are objects of the Prometheus Operator unless a file is requested', async () => {
  const { code, out } = await pinion(['rules', '--namespace', 'watch', '--runbooks', 'https://runbooks.example.com/']);
  expect(code).toBe(0);
  expect(documents(out)).toEqual(
    plain([
      ...prometheusRules({ namespace: 'watch', runbooks: 'https://runbooks.example.com' }),
      ...podMonitors({ namespace: 'watch' }),
    ]),
  );
});

test('rules are printed without monitors if another configuration scrapes the components', async () => {
  const { code, out } = await pinion(['rules', '--no-monitors']);
  expect([code, documents(out)]).toEqual([0, plain(prometheusRules())]);
});

test('without the operator, rules are a file in a ConfigMap', async () => {
  const { code, out } = await pinion(['rules', '-o', 'config-map', '--namespace', 'watch']);
  expect(code).toBe(0);
  const [map] = documents(out) as [ReturnType<typeof ruleConfigMap>];
  expect(map).toEqual(plain(ruleConfigMap({ namespace: 'watch' })));
  expect(documents(map.data['pinion-rules.yaml'] ?? '')).toEqual([plain(ruleFile())]);
});

test('omits alerts of components that a cluster does not have, and adds the labels that its Prometheus selects', async () => {
  const { out } = await pinion([
    'rules',
    '--without',
    'pinion-submission,pinion-canary',
    '--labels',
    'release=kps,a=b',
  ]);
  expect(out).not.toContain('PinionSubmissionDown');
  expect(out).not.toContain('PinionCanaryAbsent');
  const options = { without: ['pinion-submission', 'pinion-canary'], labels: { release: 'kps', a: 'b' } };
  expect(documents(out)).toEqual(plain([...prometheusRules(options), ...podMonitors(options)]));
  expect(out).not.toMatch(/^ {2}name: pinion-submission$/m);
});

test.each([
  [
    ['--without', 'everything'],
    '--without must be kube-apiserver, kube-apiserver-admission, kube-apiserver-lists-and-watches, etcd, control-plane, pinion-controller, pinion-workloads, pinion-rollouts, pinion-registrar, pinion-quota, pinion-canary, pinion-submission, pinion-gateway or pinion-clients, not "everything"',
  ],
  [['--labels', 'release'], '--labels must be KEY=VALUE,KEY=VALUE, not "release"'],
  [['-o', 'file', '--labels', 'a=b'], '--labels cannot be combined with --output file'],
  [['-o', 'config-map', '--no-monitors'], '--no-monitors requires --output prometheus-rule'],
])('%j is a usage error', async (argv, message) => {
  const { code, err } = await pinion(['rules', ...argv]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test('a rules file uses the metric names of the requested version', async () => {
  const { code, out } = await pinion(['rules', '-o', 'file', '--kubernetes', '1.35']);
  expect(code).toBe(0);
  expect(documents(out)).toEqual([plain(ruleFile({ kubernetes: '1.35' }))]);
  expect(out).toContain('etcd_bookmark_counts');
});

test('dashboards are ConfigMaps, or files of a folder', async () => {
  const { out } = await pinion(['dashboards']);
  expect(documents(out)).toEqual(plain(dashboardConfigMaps()));
  const folder = mkdtempSync(join(tmpdir(), 'pinion-dashboards-'));
  try {
    const { code, out: output } = await pinion(['dashboards', '--dir', folder]);
    expect([code, output]).toEqual([0, '']);
    expect(readdirSync(folder).sort()).toEqual(
      dashboards()
        .map(({ name }) => `${name}.json`)
        .sort(),
    );
    const overview = JSON.parse(readFileSync(join(folder, 'pinion-overview.json'), 'utf8')) as { uid: string };
    expect(overview.uid).toBe('pinion-overview');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('reports a file in place of the dashboards folder', async () => {
  writeFiles({ boards: 'a file', 'a/pinion-overview.json/b': '', 'a.yaml': service('cart') });
  expect(await pinion(['dashboards', '--dir', 'boards'])).toMatchObject({
    code: 3,
    err: 'pinion: boards: is not a folder\n',
  });
  expect(await pinion(['dashboards', '--dir', 'boards/below'])).toMatchObject({
    code: 3,
    err: 'pinion: boards/below: is not a folder\n',
  });
  expect(await pinion(['render', '--output-dir', 'boards/below', 'a.yaml'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('pinion: boards: is not a folder\n'),
  });
  expect(await pinion(['dashboards', '--dir', 'a'])).toMatchObject({
    code: 3,
    err: 'pinion: a/pinion-overview.json: is a folder\n',
  });
});

test.each([
  [['rules', 'cart.yaml'], 'unexpected argument "cart.yaml"; usage: pinion rules [options]'],
  [['rules', '-o', 'file', '--namespace', 'x'], '--namespace cannot be combined with --output file'],
  [['rules', '--kubernetes', '1.20'], '--kubernetes must be 1.35 or 1.36, not "1.20"'],
  [['dashboards', '--dir', 'x', '--namespace', 'y'], '--namespace cannot be combined with --dir'],
  [['dashboards', '--dir', ''], '--dir must be a folder, not ""; did you mean . for the working directory?'],
  [['dashboards', '--namespace', 'Bad_ns'], '--namespace must be lower-case letters, digits and dashes, not "Bad_ns"'],
  [['rules', '--namespace', 'UPPER'], '--namespace must be lower-case letters, digits and dashes, not "UPPER"'],
  [['rules', '--runbooks', 'x'], '--runbooks must be a URL such as https://runbooks.example.com, not "x"'],
])('%s is a usage error', async (argv, reason) => {
  const { code, err } = await pinion(argv);
  expect(err).toContain(reason);
  expect(code).toBe(2);
});
