import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Guard } from '../control-plane/server-process';
import { type CloudResources, type Instance } from './cloud-resources';
import { Machine } from './machine';
import { type PlacedProgram } from './machine-init';
import { type PlannedCluster } from './planned-cluster';
import { type Region } from './region';
import { type ProgramPaths } from './tools';

/** Environment of a rehearsed machine. */
export interface Stage {
  readonly folder: string;
  readonly region: Region;
  readonly resources: CloudResources;
  readonly planned: PlannedCluster;
  readonly paths: ProgramPaths;
  readonly guard: Guard;
}

/** Paths of the programs in the image of a machine. */
const programPaths: Readonly<Record<keyof ProgramPaths, string>> = {
  etcd: '/usr/local/bin/etcd',
  etcdctl: '/usr/local/bin/etcdctl',
  etcdutl: '/usr/local/bin/etcdutl',
  'kube-apiserver': '/usr/local/bin/kube-apiserver',
  'kube-controller-manager': '/usr/local/bin/kube-controller-manager',
  'kube-scheduler': '/usr/local/bin/kube-scheduler',
  kubeadm: '/usr/bin/kubeadm',
  kubectl: '/usr/bin/kubectl',
  kubelet: '/usr/bin/kubelet',
};

/** Programs in the image of a machine. */
const imagePrograms = (paths: ProgramPaths): PlacedProgram[] =>
  Object.entries(programPaths).map(([name, to]) => ({ from: paths[name as keyof ProgramPaths], to }));

/** Starts a machine for an instance: its root, its programs, and its own interface in a subnet. */
export async function bootMachine(stage: Stage, instance: Instance, role: string, subnet: string): Promise<Machine> {
  const { folder, region, resources, paths, guard } = stage;
  const machineFolder = join(folder, 'machines', instance.id);
  mkdirSync(machineFolder, { recursive: true });
  const machine = await Machine.start({
    name: instance.id,
    folder: machineFolder,
    logs: join(folder, 'logs', `${role}-${instance.id}`),
    hostName: instance.hostName,
    programs: imagePrograms(paths),
    volumes: resources.folder,
    guard,
  });
  await connectMachine(region, machine, instance, subnet);
  return machine;
}

/** Interfaces have names of at most 15 characters. */
export const linkName = (instance: string, index: number): string => `v${index}${instance.slice(-10)}`;

/** Gives a machine its own interface and registers it with the metadata service. */
async function connectMachine(
  region: Region,
  machine: Machine,
  { id, zone, address, hostName }: Instance,
  subnet: string,
): Promise<void> {
  const [block = '', prefix = ''] = subnet.split('/');
  await region.plug(machine.pid, { name: 'eth0', outside: linkName(id, 0) });
  await machine.runOrThrow('ip', 'address', 'add', `${address}/${prefix}`, 'dev', 'eth0');
  await machine.runOrThrow('ip', 'link', 'set', 'eth0', 'up');
  await machine.runOrThrow('ip', 'route', 'add', 'default', 'via', routerOf(block));
  region.describe(address, {
    'instance-id': id,
    'placement/availability-zone': zone,
    'local-hostname': hostName,
  });
}

/** The router has the first address of the block. */
export const routerOf = (block: string): string => block.replace(/\d+$/, (last) => String(Number(last) + 1));
