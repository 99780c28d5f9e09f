import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../control-plane/server-process';

const mountPoint = '/sys/fs/cgroup';
const prefix = 'pinion-node-';

/** cgroup v1 hierarchies that a kubelet and a runtime use for pods. */
const hierarchies = (): readonly string[] =>
  [
    'cpu',
    'cpuacct',
    'cpuset',
    'memory',
    'devices',
    'freezer',
    'blkio',
    'pids',
    'systemd',
    'hugetlb',
    'net_cls',
    'net_prio',
    'perf_event',
    'unified',
  ]
    .map((each) => join(mountPoint, each))
    .filter((path) => existsSync(join(path, 'cgroup.procs')));

/** Returns why cgroups cannot be created here; undefined if they can. */
export function reasonWithoutCgroups(): string | undefined {
  if (existsSync(join(mountPoint, 'cgroup.controllers')))
    return 'this machine uses cgroups v2; the test node supports v1';
  return existsSync(join(mountPoint, 'memory', 'cgroup.procs'))
    ? undefined
    : 'there are no cgroup hierarchies for pods';
}

/** Creates a cgroup in every hierarchy, named after this process; removes those of processes that no longer exist. */
export function createCgroup(): string {
  for (const stale of readdirSync(join(mountPoint, 'memory')).filter((each) => each.startsWith(prefix)))
    if (!isRunning(Number(stale.slice(prefix.length).split('-')[0]))) removeCgroup(stale);
  const name = `${prefix}${process.pid}-${Math.floor(performance.now())}`;
  for (const hierarchy of hierarchies()) {
    mkdirSync(join(hierarchy, name));
    if (!hierarchy.endsWith('cpuset')) continue;
    for (const file of ['cpuset.cpus', 'cpuset.mems'])
      writeFileSync(join(hierarchy, name, file), readFileSync(join(hierarchy, file)));
  }
  return name;
}

/** Lists the ids of processes that remain under a cgroup. */
export function processesBelow(name: string): readonly number[] {
  const found = foldersBelow(join(mountPoint, 'memory', name)).flatMap((folder) => {
    try {
      return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  });
  return found;
}

/** Removes a cgroup from every hierarchy; returns those that still have processes. */
export function removeCgroup(name: string): readonly string[] {
  const folders = hierarchies().flatMap((hierarchy) => foldersBelow(join(hierarchy, name)));
  return folders.filter((folder) => {
    try {
      rmdirSync(folder);
      return false;
    } catch {
      return existsSync(folder);
    }
  });
}

/** Lists a folder and all under it, the deepest first. */
function foldersBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...children.flatMap((entry) => foldersBelow(join(folder, entry.name))), folder];
}
