import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import {
  findGroup,
  groupOf,
  CgroupUnavailable,
  planReclaim,
  readLimit,
  readMemorySettings,
  readMemoryStat,
  defaultReclaimPolicy,
} from '../../../lib/operations';

const mebibyte = 1024 * 1024;

test('memory.stat of both cgroup versions has heap and page cache, without shared memory', () => {
  const v2 = 'anon 100\nfile 900\nkernel 5\nshmem 200\ninactive_file 300\nactive_file 400\n';
  expect(readMemoryStat(v2, 2)).toEqual({ anon: 100, file: 700, inactive: 300 });
  const v1 = 'cache 1\nrss 2\ntotal_cache 900\ntotal_rss 100\ntotal_shmem 200\ntotal_inactive_file 300\n';
  expect(readMemoryStat(v1, 1)).toEqual({ anon: 100, file: 700, inactive: 300 });
  expect(readMemoryStat(v2, 1)).toBeUndefined();
});

test('parses any content as numbers or undefined', () => {
  const line = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom('anon', 'file', 'shmem', 'inactive_file', 'total_rss'), fc.oneof(fc.nat(), fc.string()))
      .map(([name, value]) => `${name} ${value}`),
  );
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom(1, 2), (lines, version) => {
      const stat = readMemoryStat(lines.join('\n'), version as 1 | 2);
      for (const value of Object.values(stat ?? {})) expect(value).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const limit = readLimit(text);
      expect(limit === undefined || limit >= 0).toBe(true);
      groupOf(text);
    }),
  );
});

test('parses a limit as a number, and unlimited values as undefined', () => {
  expect(['max\n', '9223372036854771712\n', '1073741824\n', ''].map(readLimit)).toEqual([
    undefined,
    undefined,
    1073741824,
    undefined,
  ]);
});

test('the cgroup of a process is that of the memory hierarchy', () => {
  expect(groupOf('0::/kubepods/pod1/c1\n')).toEqual({ version: 2, path: '/kubepods/pod1/c1' });
  expect(groupOf('12:cpu,cpuacct:/x\n5:memory:/kubepods/a:b\n0::/y\n')).toEqual({ version: 1, path: '/kubepods/a:b' });
  expect(groupOf('nonsense')).toBeUndefined();
});

test('reclaims page cache near the limit, down to the low watermark, and never more than exists', () => {
  const use = (current: number, file: number) => ({
    current,
    limit: 1000 * mebibyte,
    file,
    anon: current - file,
    inactive: file,
  });
  const reclaimed = (current: number, file: number): number =>
    planReclaim(use(current * mebibyte, file * mebibyte), defaultReclaimPolicy) / mebibyte;
  expect([reclaimed(890, 800), reclaimed(900, 800), reclaimed(990, 50), reclaimed(1000, 0)]).toEqual([0, 100, 50, 0]);
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(2000), (current, file) => {
      expect(reclaimed(current, Math.min(file, current))).toBeLessThanOrEqual(Math.min(file, current));
    }),
  );
});

test('reports all invalid variables at once', () => {
  const result = readMemorySettings({ MODE: 'on', HIGH: '2', INTERVAL: 'soon', PORT: 'x' });
  expect('problems' in result && result.problems.map(({ path }) => path[0])).toEqual([
    'MODE',
    'HIGH',
    'INTERVAL',
    'PORT',
  ]);
  const low = readMemorySettings({ HIGH: '0.5', LOW: '0.6' });
  expect('problems' in low && low.problems.map(({ path }) => path[0])).toEqual(['LOW']);
  expect(readMemorySettings({})).toMatchObject({ settings: { mode: 'observe', group: { process: 'kube-apiserver' } } });
});

// Regular files instead of the kernel's, because not every test machine has the memory controller of cgroup v2.
describe('a cgroup v2 in regular files', () => {
  let folder = '';
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pinion-memory-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const paths = () => ({ proc: join(folder, 'proc'), cgroup: join(folder, 'cgroup') });

  test('uses the smallest limit of its ancestors, and reclaims only page cache', () => {
    write('proc/7/comm', 'kube-apiserver\n');
    write('proc/7/cgroup', '0::/kubepods/pod1/c1\n');
    write('proc/meminfo', 'MemTotal:       16000000 kB\n');
    write('cgroup/kubepods/pod1/memory.max', '5000\n');
    write('cgroup/kubepods/pod1/c1/memory.max', 'max\n');
    write('cgroup/kubepods/pod1/c1/memory.current', '4000\n');
    write('cgroup/kubepods/pod1/c1/memory.stat', 'anon 1000\nfile 3000\nshmem 0\ninactive_file 2000\n');
    write('cgroup/kubepods/pod1/c1/memory.reclaim', '');
    const group = findGroup({ process: 'kube-apiserver' }, paths());
    expect(group.read()).toEqual({ anon: 1000, file: 3000, inactive: 2000, current: 4000, limit: 5000 });
    expect(group.reclaim(2048)).toBe('complete');
    expect(readFileSync(join(folder, 'cgroup/kubepods/pod1/c1/memory.reclaim'), 'utf8')).toBe('2048 swappiness=0');
  });

  test('reports a missing process', () => {
    write('proc/meminfo', '');
    expect(() => findGroup({ process: 'kube-apiserver' }, paths())).toThrow(CgroupUnavailable);
  });
});
