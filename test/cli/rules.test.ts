import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dashboardConfigMaps, dashboards, prometheusRules, ruleFile } from '../../lib/observability';
import { readDocuments } from '../../lib/yaml';
import { pinion } from './terminal';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const documents = (text: string): unknown[] => readDocuments(text, 'out').documents.map(({ value }) => value);

test('rules are objects of the Prometheus Operator unless a file is asked for', async () => {
  const { code, out } = await pinion(['rules', '--namespace', 'watch', '--runbooks', 'https://runbooks.example.com/']);
  expect(code).toBe(0);
  expect(documents(out)).toEqual(
    plain(prometheusRules({ namespace: 'watch', runbooks: 'https://runbooks.example.com' })),
  );
});

test('a file of rules has the names of the version that is asked for', async () => {
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
    const { code, out: nothing } = await pinion(['dashboards', '--dir', folder]);
    expect([code, nothing]).toEqual([0, '']);
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

test.each([
  [['rules', 'cart.yaml'], 'takes no inputs'],
  [['rules', '-o', 'file', '--namespace', 'x'], 'a file of rules has none'],
  [['rules', '--kubernetes', '1.20'], '--kubernetes takes 1.35 or 1.36'],
  [['dashboards', '--dir', 'x', '--namespace', 'y'], 'give one of the two'],
])('%s is wrong usage', async (argv, reason) => {
  const { code, err } = await pinion(argv);
  expect(err).toContain(reason);
  expect(code).toBe(2);
});
