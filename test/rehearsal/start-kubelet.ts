import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { type Machine, type MachineProcess } from './machine';
import { readService } from './read-service';

/** Shell script that runs the kubelet with read-only sysctls, because it shares the kernel with others. */
const readOnlySysctls = 'mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys && exec "$@"';

/**
 * Starts the kubelet of a machine with the arguments of its unit. It reads its configuration and starts up to the connection to its
 * container runtime; without one it exits. The machine has no cgroups that it could change.
 */
export function startKubelet(machine: Machine): MachineProcess {
  const read = (path: string): string | undefined => (machine.has(path) ? machine.read(path) : undefined);
  const { command, environment } = readService(machine.read('/etc/systemd/system/kubelet.service'), read);
  const words = ['--mount', '--propagation', 'private', 'sh', '-c', readOnlySysctls, 'sh', ...command];
  return machine.start('unshare', words, 'kubelet.log', environment);
}

/** Listens on the socket of a container runtime and never responds: the kubelet waits for it while it joins the cluster. */
export async function silentRuntime(machine: Machine): Promise<Server> {
  mkdirSync(machine.path('/run/containerd'), { recursive: true });
  const server = createServer(() => undefined);
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(machine.path('/run/containerd/containerd.sock'), resolve);
  });
  return server;
}
