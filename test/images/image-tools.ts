import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that build and start images, by name, with their Debian packages. */
const tools = {
  buildah: 'buildah',
  containerd: 'containerd',
  'containerd-shim-runc-v2': 'containerd',
  ctr: 'containerd',
  runc: 'runc',
  'dpkg-deb': 'dpkg',
  ip: 'iproute2',
  tar: 'tar',
  unshare: 'util-linux',
} as const;

/** Returns why this machine cannot build and start images; undefined if it can. */
export function reasonWithoutImageTools(): string | undefined {
  if (process.platform !== 'linux') return 'images need Linux';
  if (process.getuid?.() !== 0) return 'namespaces and mounts need root';
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const missing = Object.entries(tools).find(([tool]) => !folders.some((folder) => existsSync(join(folder, tool))));
  if (missing) return `"${missing[0]}" is not on PATH; install the Debian package ${missing[1]}`;
  const namespaces = spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true']);
  return namespaces.status === 0 ? undefined : 'this machine does not allow root to create namespaces';
}
