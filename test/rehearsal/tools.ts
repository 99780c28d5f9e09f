import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findBinaries, type Binaries } from '../control-plane/binaries';
import { motoMissing } from '../cloud/moto';

/** Programs of control plane nodes and workers that are built. */
export const rehearsalPrograms = [
  'etcd',
  'etcdctl',
  'etcdutl',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubeadm',
  'kubectl',
  'kubelet',
] as const;

/** Name of a built program. */
export type RehearsalProgram = (typeof rehearsalPrograms)[number];

/** Path of each program. */
export type ProgramPaths = Readonly<Record<RehearsalProgram, string>>;

/** Programs of the operating system that control plane nodes or the tests run, and the packages that provide them. */
const tools = {
  aws: 'the Python package awscli',
  bash: 'the Debian package bash',
  blkid: 'the Debian package util-linux',
  curl: 'the Debian package curl',
  ip: 'the Debian package iproute2',
  'mkfs.ext4': 'the Debian package e2fsprogs',
  nft: 'the Debian package nftables',
  nsenter: 'the Debian package util-linux',
  openssl: 'the Debian package openssl',
  pivot_root: 'the Debian package mount',
  resize2fs: 'the Debian package e2fsprogs',
  unshare: 'the Debian package util-linux',
} as const;

/** Folders to search for programs; root's are not on every PATH. */
export const programFolders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** Returns why a machine cannot run rehearsals, apart from missing built programs; undefined where it can. */
export function reasonWithoutRehearsalTools(): string | undefined {
  if (process.platform !== 'linux') return 'rehearsals need Linux';
  if (process.getuid?.() !== 0) return 'rehearsals need root, to create namespaces';
  const missing = Object.entries(tools).find(
    ([tool]) => !programFolders.some((place) => existsSync(join(place, tool))),
  );
  if (missing) return `there is no "${missing[0]}" on PATH; ${missing[1]} provides it`;
  if (motoMissing !== undefined) return motoMissing;
  if (!existsSync('/dev/loop-control')) return 'there are no loop devices to back volumes';
  // The file system of a container image may not be allowed as the lower layer of another overlay.
  const tried = spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'sh', '-c', overlayTrial]);
  return tried.status === 0 ? undefined : `cannot create namespaces with a root of their own: ${String(tried.stderr)}`;
}

const overlayTrial = `set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root`;

/** Kubernetes minor versions that are rehearsed. */
export type RehearsedVersion = '1.35' | '1.36';

/** Returns the file name of a built program: those of the older version contain the version. */
const builtName = (program: RehearsalProgram, kubernetes: RehearsedVersion) =>
  kubernetes === '1.36' || program === 'etcd' || program === 'etcdctl' || program === 'etcdutl'
    ? program
    : (`${program}-1.35` as const);

/** File names of all programs that any rehearsal needs. */
export const builtPrograms = (kubernetes: RehearsedVersion): readonly string[] =>
  rehearsalPrograms.map((program) => builtName(program, kubernetes));

/** Returns the programs, or why rehearsals cannot run here. */
export function rehearsalBinaries(kubernetes: RehearsedVersion): Binaries<RehearsalProgram> {
  const skipped = reasonWithoutRehearsalTools();
  if (skipped !== undefined) return { skipped };
  const found = findBinaries(builtPrograms(kubernetes));
  if ('skipped' in found) return found;
  const paths = rehearsalPrograms.map((name) => [name, found.paths[builtName(name, kubernetes)] ?? ''] as const);
  return { paths: Object.fromEntries(paths) as ProgramPaths };
}
