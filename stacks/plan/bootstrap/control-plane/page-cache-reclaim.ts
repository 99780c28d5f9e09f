import { ports } from '../../network/ports';
import { type HostParts } from '../host-parts';
import { unitText } from '../text/unit-text';

/** Settings of the memory agent on control plane nodes. */
export interface PageCacheReclaim {
  /** Mode of the agent; `off` does not install it. */
  readonly mode: 'off' | 'observe' | 'act';
  /** Fractions of the memory limit at which reclaim of page cache starts and stops. */
  readonly high: number;
  readonly low: number;
  /** Clients that can reach its metrics: processes on the machine only, or workers too. */
  readonly metrics: 'machine' | 'workers';
}

/** Name of its systemd unit. */
export const pageCacheReclaimUnit = 'pinion-apiserver-memory.service';

/** Location of the program and its runtime in the image of control plane nodes. */
export const pageCacheReclaimProgram = { path: '/opt/pinion/lib/apiserver-memory.js', node: '/usr/bin/node' } as const;

/** Control groups of pods; the agent can write nowhere else. */
const groups = '/sys/fs/cgroup/kubepods.slice';

/** Returns the host parts of control plane nodes, with the agent if it is enabled. */
export const withPageCacheReclaim = (host: HostParts, agent: PageCacheReclaim): HostParts =>
  agent.mode === 'off' ? host : { ...host, units: { ...host.units, [pageCacheReclaimUnit]: unitOf(agent) } };

/**
 * Returns the systemd unit. The agent reads all processes and writes only under the control groups of pods; its CPU and
 * memory are limited.
 */
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
      ...sandbox,
      ...(metrics === 'machine' && { IPAddressDeny: 'any', IPAddressAllow: 'localhost' }),
      // The start fails and is retried until the kubelet has created the folder.
      ...(mode === 'act' && { ReadWritePaths: groups }),
    },
    Install: { WantedBy: 'multi-user.target' },
  });

/** Sandbox: read-only except for the control groups of pods. MemoryDenyWriteExecute is not set, because V8 needs writable executable memory. */
const sandbox = {
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
