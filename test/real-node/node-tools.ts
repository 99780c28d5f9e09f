import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { reasonWithoutCgroups } from './cgroups';

/** Programs of the operating system that a node needs, and the Debian packages that provide them. */
const tools = {
  containerd: 'containerd',
  'containerd-shim-runc-v2': 'containerd',
  ctr: 'containerd',
  runc: 'runc',
  nft: 'nftables',
  ip: 'iproute2',
  busybox: 'busybox-static',
  unshare: 'util-linux',
  nsenter: 'util-linux',
} as const;

/** Returns why a machine cannot run a node, apart from missing built programs; undefined if it can. */
export function reasonWithoutNodeTools(): string | undefined {
  if (process.platform !== 'linux') return 'a node needs Linux';
  if (process.getuid?.() !== 0) return 'a node needs root';
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const missing = Object.entries(tools).find(([tool]) => !folders.some((place) => existsSync(join(place, tool))));
  if (missing) return `there is no "${missing[0]}" on PATH; the Debian package ${missing[1]} provides it`;
  if (!existsSync('/usr/lib/cni/bridge'))
    return 'there is no /usr/lib/cni; the Debian package containernetworking-plugins provides it';
  return reasonWithoutCgroups();
}
