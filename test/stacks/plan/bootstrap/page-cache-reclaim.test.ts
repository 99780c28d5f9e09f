import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { safePlanCapacity } from '../../../../lib/capacity';
import { resolvePlatform } from '../../../../lib/expand';
import { readMemorySettings } from '../../../../lib/operations';
import {
  hostParts,
  controlPlaneFiles,
  pageCacheReclaimProgram,
  pageCacheReclaimUnit,
  controlPlaneUserData,
  userDataLimit,
  withPageCacheReclaim,
  type MachineFile,
  type PageCacheReclaim,
} from '../../../../stacks/plan/bootstrap';
import { parseCluster, loadOf, planClusterStack, plannedCapacity, type ClusterInput } from '../../../../stacks/plan';
import { machineSpecs } from '../../../../stacks/plan/machines/machine-specs';
import { readService } from '../../../rehearsal/read-service';
import { plainCluster } from '../make-cluster';
import { controlPlane, firstControlPlaneNode } from './example-cluster';
import { expectGolden } from './golden-files';
import { machineRoot } from './machine-root';

const reclaiming: PageCacheReclaim = { mode: 'act', high: 0.9, low: 0.8, metrics: 'machine' };
const plainHost = hostParts(resolvePlatform([]).profile.spec.parts);
const path = `/etc/systemd/system/${pageCacheReclaimUnit}`;

const controlPlaneWith = (agent: PageCacheReclaim) => ({
  ...controlPlane,
  host: withPageCacheReclaim(plainHost, agent),
});
const unitOf = (agent: PageCacheReclaim): MachineFile | undefined =>
  controlPlaneFiles(controlPlaneWith(agent), firstControlPlaneNode).find((file) => file.path === path);
const textOf = (agent: PageCacheReclaim): string => unitOf(agent)?.content ?? '';

/** Returns the planned control plane nodes of a configuration, as text. */
const controlPlaneText = (own: Partial<ClusterInput>): string => {
  const { controlPlane: controlPlaneNodes } = planClusterStack({ ...plainCluster, ...own }).plan;
  return JSON.stringify(controlPlaneNodes);
};

test('the unit of a reclaiming agent matches the golden file', () => {
  const unit = unitOf(reclaiming);
  expectGolden('page-cache-reclaim', unit ? [unit] : []);
});

test('the unit starts at boot, and user data still fits', () => {
  const settings = controlPlaneFiles(controlPlaneWith(reclaiming), firstControlPlaneNode).find(
    (file) => file.path === '/etc/pinion/machine.conf',
  );
  expect(settings?.content).toMatch(/^HOST_UNITS=\(.*pinion-apiserver-memory\.service.*\)$/m);
  expect(controlPlaneUserData(controlPlaneWith(reclaiming), firstControlPlaneNode).bytes).toBeLessThanOrEqual(
    userDataLimit,
  );
});

test('the program accepts the exact arguments of the unit', () => {
  const { environment, command, restart } = readService(
    textOf({ ...reclaiming, high: 0.85, low: 0.7 }),
    () => undefined,
  );
  expect(readMemorySettings(environment)).toMatchObject({
    settings: {
      mode: 'act',
      policy: { high: 0.85, low: 0.7 },
      host: '127.0.0.1',
      port: 9441,
      group: { process: 'kube-apiserver' },
    },
  });
  expect([command[0], command.at(-1), restart]).toEqual([
    pageCacheReclaimProgram.node,
    pageCacheReclaimProgram.path,
    'always',
  ]);
});

test('an observing agent may write nothing; a reclaiming one only the cgroups of pods', () => {
  const writable = (agent: PageCacheReclaim): string[] =>
    [...textOf(agent).matchAll(/^ReadWritePaths=(.*)$/gm)].map(([, paths = '']) => paths);
  expect(writable({ ...reclaiming, mode: 'observe' })).toEqual([]);
  expect(writable(reclaiming)).toEqual(['/sys/fs/cgroup/kubepods.slice']);
  for (const mode of ['observe', 'act'] as const)
    for (const line of ['ProtectSystem=strict', 'ProtectControlGroups=yes', 'CapabilityBoundingSet=', 'MemoryMax=192M'])
      expect(textOf({ ...reclaiming, mode }).split('\n')).toContain(line);
});

test('its metrics are served on the machine only, unless workers are allowed to scrape them', () => {
  expect(textOf(reclaiming)).toMatch(/HOST=127\.0\.0\.1[\s\S]*IPAddressDeny=any/);
  expect(textOf({ ...reclaiming, metrics: 'workers' })).toMatch(/HOST=0\.0\.0\.0/);
  expect(textOf({ ...reclaiming, metrics: 'workers' })).not.toContain('IPAddressDeny');
  const rulesOf = (own: ClusterInput['pageCacheReclaim']) =>
    planClusterStack({ ...plainCluster, pageCacheReclaim: own }).plan.securityGroups.rules.filter(
      ({ args }) => args.fromPort === 9441,
    );
  expect(rulesOf({ mode: 'act' })).toEqual([]);
  expect(rulesOf({ mode: 'off', metrics: 'workers' })).toEqual([]);
  expect(rulesOf({ mode: 'observe', metrics: 'workers' }).map(({ group, direction }) => [group, direction])).toEqual([
    ['worker', 'egress'],
    ['control-plane', 'ingress'],
  ]);
});

test('it replaces the timer of other machines, which would reclaim next to an observing agent', () => {
  const unitsOf = (pageCacheReclaim: ClusterInput['pageCacheReclaim']) => {
    const config = parseCluster({ ...plainCluster, pageCacheReclaim });
    const { plan } = safePlanCapacity(loadOf(config));
    if (!plan) throw new Error('no plan for this load');
    const { controlPlane: spec, workers } = machineSpecs(config, plan, plannedCapacity(plan));
    const [worker] = Object.values(workers);
    return [spec.host, worker?.host].map((host) => Object.keys(host?.units ?? {}).sort());
  };
  const timer = ['pinion-memory-agent.service', 'pinion-memory-agent.timer'];
  expect(unitsOf({ mode: 'off' })).toEqual([timer, timer]);
  expect(unitsOf({ mode: 'observe' })).toEqual([[pageCacheReclaimUnit], timer]);
});

test('changes no machine if it is off, and only control plane nodes if it is on', () => {
  const base = planClusterStack(plainCluster).plan;
  const enabled = planClusterStack({ ...plainCluster, pageCacheReclaim: { mode: 'observe' } }).plan;
  expect(controlPlaneText({ pageCacheReclaim: { mode: 'off', high: 0.95 } })).toBe(controlPlaneText({}));
  expect(enabled.controlPlane).not.toEqual(base.controlPlane);
  expect(enabled.nodeGroups).toEqual(base.nodeGroups);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const title = 'systemd accepts the unit and rates its sandbox as safe';

(hasSystemd ? test : test.skip)(
  hasSystemd ? title : `${title} (skipped: systemd-analyze of Debian's package systemd is missing)`,
  () => {
    for (const agent of [reclaiming, { ...reclaiming, mode: 'observe', metrics: 'workers' } as const]) {
      const unit = unitOf(agent);
      const node: MachineFile = { path: pageCacheReclaimProgram.node, content: '#!/bin/sh\n', mode: '0755' };
      const root = machineRoot([...(unit ? [unit] : []), node]);
      try {
        const verified = spawnSync(
          'systemd-analyze',
          ['verify', '--man=no', '--recursive-errors=no', `--root=${root}`, join(root, path)],
          { encoding: 'utf8' },
        );
        expect(`${verified.stdout}${verified.stderr}`).toBe('');
        // Tenths of an exposure point: below 20 systemd reports OK; most services have 96.
        const rated = spawnSync(
          'systemd-analyze',
          ['security', '--offline=true', '--threshold=25', `--root=${root}`, join(root, path)],
          { encoding: 'utf8' },
        );
        expect([rated.status, rated.stdout]).toEqual([0, expect.stringContaining('exposure level')]);
      } finally {
        rmSync(root, { recursive: true });
      }
    }
  },
);
