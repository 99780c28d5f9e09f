import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findBinaries, type Binaries } from '../control-plane/binaries';
import { motoMissing } from '../cloud/moto';

/** Programs of a master, and of a worker, that are built. */
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

/** One of them. */
export type RehearsalProgram = (typeof rehearsalPrograms)[number];

/** Where each of them is. */
export type ProgramPaths = Readonly<Record<RehearsalProgram, string>>;

/** Programs of the operating system that masters or the tests run, with what brings them. */
const tools = {
  aws: 'the Python package awscli',
  bash: 'the Debian package bash',
  blkid: 'the Debian package util-linux',
  curl: 'the Debian package curl',
  ip: 'the Debian package iproute2',
  'mkfs.ext4': 'the Debian package e2fsprogs',
  nsenter: 'the Debian package util-linux',
  openssl: 'the Debian package openssl',
  pivot_root: 'the Debian package mount',
  resize2fs: 'the Debian package e2fsprogs',
  unshare: 'the Debian package util-linux',
} as const;

/** Folders where programs are looked for; root's are not on every PATH. */
export const programFolders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** Why a machine cannot rehearse masters, the programs that are built apart; undefined where it can. */
export function reasonWithoutRehearsalTools(): string | undefined {
  if (process.platform !== 'linux') return 'masters are rehearsed on Linux';
  if (process.getuid?.() !== 0) return 'masters are rehearsed by root, in namespaces of their own';
  const missing = Object.entries(tools).find(
    ([tool]) => !programFolders.some((place) => existsSync(join(place, tool))),
  );
  if (missing) return `there is no "${missing[0]}" on PATH; ${missing[1]} brings it`;
  if (motoMissing !== undefined) return motoMissing;
  if (!existsSync('/dev/loop-control')) return 'there are no loop devices to stand in for volumes';
  // An image of a container may be on what cannot be the lower layer of another overlay.
  const tried = spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'sh', '-c', overlayTrial]);
  return tried.status === 0
    ? undefined
    : `there can be no namespaces with a root of their own: ${String(tried.stderr)}`;
}

const overlayTrial = `set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root`;

/** The programs, or why there can be no rehearsal here. */
export function rehearsalBinaries(): Binaries<RehearsalProgram> {
  const skipped = reasonWithoutRehearsalTools();
  return skipped === undefined ? findBinaries(rehearsalPrograms) : { skipped };
}
