import { ports } from '../../network/ports';
import { type HostParts } from '../host-parts';
import { unitText } from '../text/unit-text';

/** Settings of the memory agent on control plane nodes. */
export interface PageCacheReclaim {
  /** What it may do: `off` is that it is not there at all. */
  readonly mode: 'off' | 'observe' | 'act';
  /** Part of the limit from which page cache is asked for, and down to which. */
  readonly high: number;
  readonly low: number;
  /** Who reaches its metrics: programs of the machine itself, or workers too. */
  readonly metrics: 'machine' | 'workers';
}

/** Name of its unit. */
export const pageCacheReclaimUnit = 'pinion-apiserver-memory.service';

/** Location of the program and its runtime in the image of control plane nodes. */
export const pageCacheReclaimProgram = { path: '/opt/pinion/lib/apiserver-memory.js', node: '/usr/bin/node' } as const;

/** Where the kubelet has the control groups of pods: all that the agent may write. */
const groups = '/sys/fs/cgroup/kubepods.slice';

/** Returns the machine level of a profile for control plane nodes: with the agent, if it is enabled. */
export const withPageCacheReclaim = (host: HostParts, agent: PageCacheReclaim): HostParts =>
  agent.mode === 'off' ? host : { ...host, units: { ...host.units, [pageCacheReclaimUnit]: unitOf(agent) } };

/** It looks at any process, and writes below the groups of pods alone; its memory and time are bounded, as it runs where they are short. */
const unitOf = ({ mode, high, low, metrics }: PageCacheReclaim): string =>
  unitText({
    Unit: {
      Description: "Page cache of the API server's control group",
      After: 'kubelet.service',
      ConditionPathExists: '/sys/fs/cgroup/cgroup.controllers',
      StartLimitIntervalSec: '0',
    },
    Service: {
      Environment: [
        `MODE=${mode}`,
        `HIGH=${high}`,
        `LOW=${low}`,
        `HOST=${metrics === 'machine' ? '127.0.0.1' : '0.0.0.0'}`,
        `PORT=${ports.pageCacheReclaim}`,
      ],
      ExecStart: `${pageCacheReclaimProgram.node} --max-old-space-size=64 ${pageCacheReclaimProgram.path}`,
      Restart: 'always',
      RestartSec: '10',
      OOMScoreAdjust: '-900',
      MemoryMax: '192M',
      CPUQuota: '20%',
      TasksMax: '64',
      ...confinement,
      ...(metrics === 'machine' && { IPAddressDeny: 'any', IPAddressAllow: 'localhost' }),
      // Fails, and so is tried again, until the kubelet has made it.
      ...(mode === 'act' && { ReadWritePaths: groups }),
    },
    Install: { WantedBy: 'multi-user.target' },
  });

/** What it needs of the machine is to read, the groups of pods apart. Memory that is written and run is what V8 lives on. */
const confinement = {
  CapabilityBoundingSet: '',
  NoNewPrivileges: 'yes',
  ProtectSystem: 'strict',
  ProtectControlGroups: 'yes',
  ProtectHome: 'yes',
  ProtectKernelTunables: 'yes',
  ProtectKernelModules: 'yes',
  ProtectKernelLogs: 'yes',
  ProtectClock: 'yes',
  ProtectHostname: 'yes',
  PrivateDevices: 'yes',
  PrivateTmp: 'yes',
  LockPersonality: 'yes',
  RestrictNamespaces: 'yes',
  RestrictRealtime: 'yes',
  RestrictSUIDSGID: 'yes',
  RestrictAddressFamilies: 'AF_UNIX AF_INET AF_INET6',
  SystemCallArchitectures: 'native',
  SystemCallFilter: '@system-service',
  SystemCallErrorNumber: 'EPERM',
  UMask: '0077',
} as const;
