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
import { readService } from '../../../rehearsal/unit-reading';
import { plainCluster } from '../make-cluster';
import { controlPlane, firstMaster } from './example-cluster';
import { expectGolden } from './golden-files';
import { machineRoot } from './machine-root';

const acting: PageCacheReclaim = { mode: 'act', high: 0.9, low: 0.8, metrics: 'machine' };
const plainHost = hostParts(resolvePlatform([]).profile.spec.parts);
const path = `/etc/systemd/system/${pageCacheReclaimUnit}`;

const masterOf = (agent: PageCacheReclaim) => ({ ...controlPlane, host: withPageCacheReclaim(plainHost, agent) });
const unitOf = (agent: PageCacheReclaim): MachineFile | undefined =>
  controlPlaneFiles(masterOf(agent), firstMaster).find((file) => file.path === path);
const textOf = (agent: PageCacheReclaim): string => unitOf(agent)?.content ?? '';

/** User data of the first master of a description, as text. */
const described = (own: Partial<ClusterInput>): string => {
  const { controlPlane: masters } = planClusterStack({ ...plainCluster, ...own }).plan;
  return JSON.stringify(masters);
};

test('the unit of an agent that acts is the one that was read', () => {
  const unit = unitOf(acting);
  expectGolden('page-cache-reclaim', unit ? [unit] : []);
});

test('it starts with the machine, and user data still fits', () => {
  const settings = controlPlaneFiles(masterOf(acting), firstMaster).find(
    (file) => file.path === '/etc/pinion/machine.conf',
  );
  expect(settings?.content).toMatch(/^HOST_UNITS=\(.*pinion-apiserver-memory\.service.*\)$/m);
  expect(controlPlaneUserData(masterOf(acting), firstMaster).bytes).toBeLessThanOrEqual(userDataLimit);
});

test('the program takes what the unit tells it, to the letter', () => {
  const { environment, command, restart } = readService(textOf({ ...acting, high: 0.85, low: 0.7 }), () => undefined);
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

test('one that observes may write nothing; one that acts the groups of pods alone', () => {
  const writable = (agent: PageCacheReclaim): string[] =>
    [...textOf(agent).matchAll(/^ReadWritePaths=(.*)$/gm)].map(([, paths = '']) => paths);
  expect(writable({ ...acting, mode: 'observe' })).toEqual([]);
  expect(writable(acting)).toEqual(['/sys/fs/cgroup/kubepods.slice']);
  for (const mode of ['observe', 'act'] as const)
    for (const line of ['ProtectSystem=strict', 'ProtectControlGroups=yes', 'CapabilityBoundingSet=', 'MemoryMax=192M'])
      expect(textOf({ ...acting, mode }).split('\n')).toContain(line);
});

test('its metrics are for the machine alone, unless workers are to reach them', () => {
  expect(textOf(acting)).toMatch(/HOST=127\.0\.0\.1[\s\S]*IPAddressDeny=any/);
  expect(textOf({ ...acting, metrics: 'workers' })).toMatch(/HOST=0\.0\.0\.0/);
  expect(textOf({ ...acting, metrics: 'workers' })).not.toContain('IPAddressDeny');
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

test('it takes the place of the timer that all other machines have, which would act beside one that observes', () => {
  const unitsOf = (pageCacheReclaim: ClusterInput['pageCacheReclaim']) => {
    const config = parseCluster({ ...plainCluster, pageCacheReclaim });
    const { plan } = safePlanCapacity(loadOf(config));
    if (!plan) throw new Error('there is no plan for this load');
    const { controlPlane: spec, workers } = machineSpecs(config, plan, plannedCapacity(plan));
    const [worker] = Object.values(workers);
    return [spec.host, worker?.host].map((host) => Object.keys(host?.units ?? {}).sort());
  };
  const timer = ['pinion-memory-agent.service', 'pinion-memory-agent.timer'];
  expect(unitsOf({ mode: 'off' })).toEqual([timer, timer]);
  expect(unitsOf({ mode: 'observe' })).toEqual([[pageCacheReclaimUnit], timer]);
});

test('where nobody asks for it masters are as they were; where somebody does, workers are', () => {
  const usual = planClusterStack(plainCluster).plan;
  const asked = planClusterStack({ ...plainCluster, pageCacheReclaim: { mode: 'observe' } }).plan;
  expect(described({ pageCacheReclaim: { mode: 'off', high: 0.95 } })).toBe(described({}));
  expect(asked.controlPlane).not.toEqual(usual.controlPlane);
  expect(asked.nodeGroups).toEqual(usual.nodeGroups);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const title = 'systemd accepts the unit, and finds it confined';

(hasSystemd ? test : test.skip)(
  hasSystemd ? title : `${title} (skipped: systemd-analyze of Debian's package systemd is not here)`,
  () => {
    for (const agent of [acting, { ...acting, mode: 'observe', metrics: 'workers' } as const]) {
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
        // Tenths of its points of exposure: below 20 is what it calls OK; most services have 96.
        const exposed = spawnSync(
          'systemd-analyze',
          ['security', '--offline=true', '--threshold=25', `--root=${root}`, join(root, path)],
          { encoding: 'utf8' },
        );
        expect([exposed.status, exposed.stdout]).toEqual([0, expect.stringContaining('exposure level')]);
      } finally {
        rmSync(root, { recursive: true });
      }
    }
  },
);
