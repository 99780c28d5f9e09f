import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { analyze } from '../../lib/etcd';
import { ruleFile } from '../../lib/observability';
import { type EtcdEndpoint, type EtcdObserved } from '../../lib/operations';
import { findBinaries } from '../control-plane/binaries';
import { runCommand } from '../control-plane/command';
import { waitFor } from '../control-plane/wait-for';
import { inMemory } from '../etcd/sample-file';
import { PrometheusServer, whyNoPrometheus } from '../quota/prometheus-server';
import { accelerateRules } from './accelerated-rules';
import { type EtcdMemberUnderTest, type EtcdUnderTest, startEtcd } from './etcd-members';
import { type ModifyingCall, type EtcdProxy, startEtcdProxy } from './etcd-proxy';

const program = join(__dirname, '..', '..', 'build', 'bin', 'pinion.js');
const tools = findBinaries(['etcd', 'etcdutl']);
const quota = 16 * 1024 * 1024;
const skipReason = whyNoPrometheus();
const noPrometheus = skipReason === undefined ? '' : ` (skipped: ${skipReason})`;
const testWithPrometheus = skipReason === undefined ? test : test.skip;
/** Members restart slowly. */
const testInFull = process.env['PINION_E2E'] === 'full' ? test : test.skip;
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

if ('skipped' in tools)
  test.skip(`recovery of an etcd of three members that runs out of space (skipped: ${tools.skipped})`, () => undefined);
else
  describe('recovery of an etcd of three members that runs out of space', () => {
    let etcd: EtcdUnderTest;
    /** Last acknowledged value of each key. */
    const acknowledged = new Map<string, string>();
    /** Rejected values of keys that were not written since. */
    const rejected = new Map<string, string>();

    let prometheus: PrometheusServer;

    beforeAll(async () => {
      etcd = await startEtcd(tools.paths.etcd, quota);
      if (noPrometheus !== '') return;
      const jobs = etcd.members.map(({ metricsUrl }) => ({ job: `etcd-${new URL(metricsUrl).port}`, url: metricsUrl }));
      prometheus = await PrometheusServer.scraping(jobs, accelerateRules(ruleFile()));
    }, 180_000);
    afterAll(async () => {
      if (noPrometheus === '') await prometheus.stop();
      await etcd.stop();
    }, 30_000);

    const member = (name: string): EtcdMemberUnderTest =>
      etcd.members.find((one) => one.name === name) as EtcdMemberUnderTest;
    const anyEndpoint = (): EtcdEndpoint => member('a').endpoint;

    async function leader(): Promise<string> {
      for (const { endpoint, name } of etcd.members) {
        const status = await endpoint.call('maintenance/status');
        if ((status['header'] as { member_id: string }).member_id === status['leader']) return name;
      }
      throw new Error('no member is the leader');
    }

    const environment = (): NodeJS.ProcessEnv => ({
      PATH: process.env['PATH'],
      ETCDCTL_ENDPOINTS: etcd.members.map(({ endpoint }) => endpoint.url).join(','),
      ETCDCTL_CACERT: etcd.tls.ca,
      ETCDCTL_CERT: etcd.tls.cert,
      ETCDCTL_KEY: etcd.tls.key,
    });
    const pinion = (...args: readonly string[]) =>
      runCommand(process.execPath, [program, 'etcd', ...args], '', environment());

    const write = async (key: string, value: string): Promise<void> => {
      try {
        await anyEndpoint().call('kv/put', { key: base64(key), value: base64(value) });
      } catch (error) {
        rejected.set(key, value);
        throw error;
      }
      acknowledged.set(key, value);
      rejected.delete(key);
    };

    /** Writes until a write is rejected because space ran out; returns the error. */
    async function fill(): Promise<string> {
      for (let index = 0; index < 2_000; index++) {
        const value = createHash('sha512').update(`${index}${acknowledged.size}`).digest('hex').repeat(500);
        try {
          await write(`/registry/configmaps/hog/rewritten-${index % 10}`, value);
          await write(`/registry/configmaps/shop/kept-${index}`, `value ${index}`);
        } catch (error) {
          return String(error);
        }
      }
      throw new Error('no write was rejected');
    }

    /**
     * Returns the keys of one member whose values differ from the acknowledged ones. A rejected value may be stored too: etcd
     * applies the write that exceeds its quota, and reports that space ran out.
     */
    async function lostKeys({ endpoint }: EtcdMemberUnderTest): Promise<readonly string[]> {
      const range = { key: base64('/registry/'), range_end: base64('/registry0'), serializable: true };
      const { kvs } = (await endpoint.call('kv/range', range)) as { kvs: { key: string; value: string }[] };
      const found = new Map(kvs.map(({ key, value }) => [key, value]));
      const hasValue = (key: string, value: string | undefined): boolean =>
        value !== undefined && found.get(base64(key)) === base64(value);
      return [...acknowledged]
        .filter(([key, value]) => !hasValue(key, value) && !hasValue(key, rejected.get(key)))
        .map(([key]) => key);
    }

    async function alarms(): Promise<readonly { alarm: string }[]> {
      const response = await anyEndpoint().call('maintenance/alarm', { action: 'GET' });
      return (response['alarms'] ?? []) as { alarm: string }[];
    }

    /** Runs `recover` repeatedly and kills it at each next modifying call until it finishes. */
    async function recoverThroughKills(): Promise<{
      readonly executed: readonly (ModifyingCall & { readonly leader: string })[];
      readonly kills: number;
    }> {
      const executed: (ModifyingCall & { readonly leader: string })[] = [];
      let kills = 0;
      let running: ChildProcess | undefined;
      // Each call is interrupted twice: before it is forwarded, and after it was executed but before the response.
      let isWithheld = false;
      const proxy: EtcdProxy = await startEtcdProxy(etcd, {
        before: async (changed) => {
          isWithheld = !isWithheld;
          if (isWithheld) {
            kills += 1;
            running?.kill('SIGKILL');
            return false;
          }
          executed.push({ ...changed, leader: await leader() });
          return true;
        },
        after: () => {
          kills += 1;
          running?.kill('SIGKILL');
        },
      });
      try {
        for (let run = 0; run < 40; run++) {
          const args = [program, 'etcd', 'recover', '--yes', '--endpoints', proxy.endpoints.join(',')];
          running = spawn(process.execPath, args, { stdio: 'ignore', env: { PATH: process.env['PATH'] } });
          const code = await new Promise((resolve) => running?.once('close', resolve));
          if (code === 0) return { executed, kills };
          if (code !== null) throw new Error(`recover exited with ${String(code)}`);
        }
      } finally {
        running?.kill('SIGKILL');
        await proxy.stop();
      }
      throw new Error('recover did not finish');
    }

    /** Runs `recover` once; kills the member of each step before the step is forwarded, and on the second attempt shortly after. */
    async function recoverThroughMemberKills(): Promise<{
      readonly steps: ReadonlyMap<string, number>;
      readonly code: number | null;
      readonly stderr: string;
    }> {
      const steps = new Map<string, number>();
      const restarts: Promise<void>[] = [];
      const killAndRestart = async (name: string): Promise<void> => {
        await member(name).part.kill();
        // The call that is forwarded now must not find the member running.
        restarts.push(new Promise((executed) => setTimeout(executed, 1_000)).then(() => member(name).part.restart()));
      };
      const proxy = await startEtcdProxy(etcd, {
        before: async ({ method, member: name }) => {
          // The leader compacts, and another member leads after the first kill.
          const step = method === 'compaction' ? method : `${method} ${name}`;
          const times = (steps.get(step) ?? 0) + 1;
          steps.set(step, times);
          if (times === 1) await killAndRestart(name);
          if (times === 2) setTimeout(() => restarts.push(killAndRestart(name)), 5);
          return true;
        },
        after: () => undefined,
      });
      try {
        const { code, stderr } = await pinion('recover', '--yes', '--endpoints', proxy.endpoints.join(','));
        return { steps, code, stderr };
      } finally {
        await Promise.all(restarts);
        await proxy.stop();
      }
    }

    test('status lists each member, the leader and the revisions', async () => {
      const { code, stdout } = await pinion('status');
      expect([code, stdout.match(/healthy$/gm)?.length, stdout.match(/ leader /g)?.length]).toEqual([0, 3, 1]);
      const observed = JSON.parse((await pinion('status', '-o', 'json')).stdout) as EtcdObserved;
      expect(observed.members.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c']);
      expect(observed.members.every((one) => one.quota === quota)).toBe(true);
    }, 60_000);

    test('rejects writes at its quota; a dry run prints the steps and changes nothing', async () => {
      expect(await fill()).toMatch(/database space exceeded/);
      const { code, stdout } = await pinion('recover', '--dry-run');
      expect(code).toBe(0);
      const plan = stdout.slice(stdout.indexOf('1. '));
      const leaderName = await leader();
      expect(plan).toMatch(/^1\. compact to revision [\d,]+; the newest revision of each key is kept\n2\. defragment /);
      expect([...plan.matchAll(/defragment (\w): [\d.]+ MiB/g)].map(([, name]) => name).pop()).toBe(leaderName);
      expect(plan).toMatch(/disarm NOSPACE of \w\n$/);
      expect(stdout).toContain('Writes are rejected because space ran out');
      await expect(write('/registry/more', 'x')).rejects.toThrow('database space exceeded');
    }, 120_000);

    testWithPrometheus(
      `fires the quota alert for each member with its usage${noPrometheus}`,
      async () => {
        const critical = await waitFor(
          'three critical alerts',
          async () => {
            const all = (await prometheus.alerts()).filter(
              ({ labels, state }) =>
                labels['alertname'] === 'etcdDatabaseQuotaLowSpace' &&
                labels['severity'] === 'critical' &&
                state === 'firing',
            );
            return all.length === 3 && all;
          },
          { timeout: 60_000 },
        );
        expect(critical.map(({ labels }) => labels['instance']).sort()).toEqual(
          etcd.members.map(({ metricsUrl }) => new URL(metricsUrl).host).sort(),
        );
        for (const { annotations } of critical)
          expect(annotations).toMatchObject({
            description: expect.stringMatching(/uses (9[5-9]|1\d\d)\.?\d*% of its quota/),
            runbook_url: 'docs/runbooks/etcdDatabaseQuotaLowSpace.md',
          });
      },
      90_000,
    );

    test('requires --yes without a terminal and changes nothing', async () => {
      const { code, stderr } = await pinion('recover');
      expect([code, stderr]).toEqual([2, expect.stringContaining('cannot ask for confirmation')]);
      expect((await alarms()).length).toBeGreaterThan(0);
    }, 60_000);

    test('does not disarm the alarm while space is exhausted', async () => {
      const { code, stderr } = await pinion('disarm', '--yes');
      expect([code, stderr]).toEqual([5, expect.stringMatching(/^halted: member \w has 1[56].* of a quota of 16 MiB/)]);
    }, 60_000);

    test('restores writes although recover is killed at every step, defragments the leader last and loses nothing', async () => {
      const count = (await alarms()).length;
      const { executed, kills } = await recoverThroughKills();
      expect(executed.map(({ method }) => method)).toEqual([
        'compaction',
        ...['defragment', 'defragment', 'defragment'],
        ...Array.from({ length: count }, () => 'alarm'),
      ]);
      expect(kills).toBe(2 * executed.length);
      const defragmented = executed.filter(({ method }) => method === 'defragment');
      expect(defragmented.map(({ member: name }) => name).sort()).toEqual(['a', 'b', 'c']);
      expect(defragmented.map(({ member: name, leader: leads }) => name === leads)).toEqual([false, false, true]);
      expect(await alarms()).toEqual([]);
      await write('/registry/configmaps/shop/after', 'space');
      for (const one of etcd.members) {
        await waitFor(`${one.name} to have all keys`, async () => (await lostKeys(one)).length === 0);
        expect(Number((await one.endpoint.call('maintenance/status'))['dbSize'])).toBeLessThan(quota / 2);
      }
    }, 240_000);

    testWithPrometheus(
      `resolves the alert once space is available${noPrometheus}`,
      async () => {
        const quotaAlerts = async () =>
          (await prometheus.alerts()).filter(({ labels }) => labels['alertname'] === 'etcdDatabaseQuotaLowSpace');
        await waitFor('the alert to resolve', async () => (await quotaAlerts()).length === 0, { timeout: 60_000 });
      },
      90_000,
    );

    testInFull(
      'recover continues when the member of a step is killed before or during the step',
      async () => {
        expect(await fill()).toMatch(/database space exceeded/);
        const { steps, code, stderr } = await recoverThroughMemberKills();
        expect([code, stderr]).toEqual([0, '']);
        expect([...steps.keys()].map((step) => step.split(' ')[0])).toEqual([
          'compaction',
          ...['defragment', 'defragment', 'defragment'],
          ...Array.from({ length: steps.size - 4 }, () => 'alarm'),
        ]);
        expect(steps.size).toBeGreaterThan(4);
        expect([...steps].filter(([, times]) => times < 2)).toEqual([]);
        expect(await alarms()).toEqual([]);
        await write('/registry/configmaps/shop/after', 'space again');
        for (const one of etcd.members)
          await waitFor(`${one.name} to have all keys`, async () => (await lostKeys(one)).length === 0);
      },
      300_000,
    );

    test('reports that nothing needs recovery', async () => {
      const { code, stdout } = await pinion('recover', '--yes');
      expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing to do: no alarm is active.')]);
    }, 60_000);

    test('saves a complete snapshot by its checksum and by etcdutl', async () => {
      const file = join(etcd.folder, 'saved', 'snapshot.db');
      const { code, stdout } = await pinion('snapshot', file);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/iB from member \w, checksum verified/)]);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const snapshotStatus = JSON.parse(
        (await runCommand(tools.paths.etcdutl, ['snapshot', 'status', file, '-w', 'json'], '', {})).stdout,
      ) as { totalKey: number };
      expect(snapshotStatus.totalKey).toBeGreaterThanOrEqual(acknowledged.size);
      expect(snapshotStatus.totalKey).toBeLessThanOrEqual(new Set([...acknowledged.keys(), ...rejected.keys()]).size);
      const read = await analyze(inMemory(readFileSync(file)), {});
      expect('contents' in read && read.contents.isComplete).toBe(true);
    }, 60_000);

    test.each([
      [
        'is truncated',
        (chunk: Buffer, at: number) => (at > 100_000 ? undefined : chunk),
        /ended its snapshot early|was interrupted/,
      ],
      [
        'has a corrupt byte',
        (chunk: Buffer, at: number) =>
          at > 100_000 && at < 400_000
            ? Buffer.from(chunk.toString('latin1').replace(/AAAA(?!A)/g, 'AAAB'), 'latin1')
            : chunk,
        /does not match its checksum/,
      ],
    ])(
      'leaves no file of a snapshot that %s',
      async (_, change, message) => {
        const forwardAll = { before: () => Promise.resolve(true), after: () => undefined };
        const proxy = await startEtcdProxy(etcd, { ...forwardAll, snapshot: change });
        const file = join(etcd.folder, 'broken.db');
        try {
          const { code, stderr } = await pinion('snapshot', file, '--endpoints', proxy.endpoints.join(','));
          expect([code, stderr]).toEqual([3, expect.stringMatching(message)]);
          expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
        } finally {
          await proxy.stop();
        }
      },
      60_000,
    );

    test('makes no change while a member is down and names the member', async () => {
      await member('c').part.kill();
      try {
        for (const subcommand of ['compact', 'defrag', 'recover']) {
          const { code, stderr } = await pinion(subcommand, '--yes');
          expect([code, stderr]).toEqual([
            5,
            expect.stringMatching(
              /^halted: member c is unhealthy: .*does not respond.*; restore it, or remove it from the cluster, then rerun\n$/,
            ),
          ]);
        }
        expect((await pinion('status')).code).toBe(5);
      } finally {
        await member('c').part.restart();
      }
    }, 120_000);

    test('compacts no further than the API server does and keeps the latest revision of each key', async () => {
      await write('/registry/configmaps/shop/late', 'one');
      await anyEndpoint().call('kv/put', { key: base64('compact_rev_key'), value: base64('1') });
      for (let index = 0; index < 20; index++) await write('/registry/configmaps/shop/late', `later ${index}`);
      const { code, stdout } = await pinion('compact', '--yes');
      expect([code, stdout]).toEqual([0, expect.stringContaining('done: 1 step taken')]);
      const { kvs } = (await anyEndpoint().call('kv/range', { key: base64('compact_rev_key') })) as {
        kvs: { mod_revision: string }[];
      };
      const observed = JSON.parse((await pinion('status', '-o', 'json')).stdout) as EtcdObserved;
      expect(observed.compacted).toBe(Number(kvs[0]?.mod_revision));
      expect(observed.revision).toBe(observed.compacted + 20);
      expect(await lostKeys(member('a'))).toEqual([]);
    }, 60_000);

    test('makes no change while data is corrupt and disarms the alarm only on explicit request', async () => {
      const status = await member('b').endpoint.call('maintenance/status');
      const memberID = (status['header'] as { member_id: string }).member_id;
      await anyEndpoint().call('maintenance/alarm', { action: 'ACTIVATE', memberID, alarm: 'CORRUPT' });
      for (const args of [['recover'], ['defrag'], ['disarm']]) {
        const { code, stderr } = await pinion(...args, '--yes');
        expect([code, stderr]).toEqual([5, expect.stringMatching(/^halted: member b has the alarm CORRUPT/)]);
      }
      const { code, stdout } = await pinion('disarm', '--corrupt', '--yes');
      expect([code, stdout]).toEqual([0, expect.stringContaining('disarm CORRUPT of b: ITS CONTENTS DIFFERED')]);
      expect(await alarms()).toEqual([]);
    }, 60_000);
  });
