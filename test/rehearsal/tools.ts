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

/** Minor versions of Kubernetes that masters are rehearsed with. */
export type RehearsedVersion = '1.35' | '1.36';

/** What a program is called where it is built: those of the older version have it in their name. */
const builtName = (program: RehearsalProgram, kubernetes: RehearsedVersion) =>
  kubernetes === '1.36' || program === 'etcd' || program === 'etcdctl' || program === 'etcdutl'
    ? program
    : (`${program}-1.35` as const);

/** Names of all that is built for a rehearsal of some version. */
export const builtPrograms = (kubernetes: RehearsedVersion): readonly string[] =>
  rehearsalPrograms.map((program) => builtName(program, kubernetes));

/** The programs, or why there can be no rehearsal here. */
export function rehearsalBinaries(kubernetes: RehearsedVersion): Binaries<RehearsalProgram> {
  const skipped = reasonWithoutRehearsalTools();
  if (skipped !== undefined) return { skipped };
  const found = findBinaries(builtPrograms(kubernetes));
  if ('skipped' in found) return found;
  const paths = rehearsalPrograms.map((name) => [name, found.paths[builtName(name, kubernetes)] ?? ''] as const);
  return { paths: Object.fromEntries(paths) as ProgramPaths };
}
