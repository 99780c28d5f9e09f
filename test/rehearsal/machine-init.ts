/** Program of this machine at another path on the rehearsed machine. */
export interface PlacedProgram {
  readonly from: string;
  readonly to: string;
}

/** Character devices that programs of a machine open: name, major and minor number. */
const devices = [
  ['null', 1, 3],
  ['zero', 1, 5],
  ['full', 1, 7],
  ['random', 1, 8],
  ['urandom', 1, 9],
  ['tty', 5, 0],
  ['loop-control', 10, 237],
] as const;

/** Number of loop devices that a mount may use: the kernel selects the first free one of the whole machine. */
const loopDeviceCount = 128;

/** Input of the init script. */
export interface MachineInitOptions {
  /** Directories shared with the tests, and its /var/log. */
  readonly folder: string;
  readonly logs: string;
  readonly hostName: string;
  readonly programs: readonly PlacedProgram[];
  /** Folder of the files that back volumes. */
  readonly volumes: string;
}

/**
 * Returns the shell script that is process 1 of a machine. Its root is a copy-on-write overlay of this machine's
 * root and is lost with the machine, like a root disk.
 */
export const machineInit = ({ folder, logs, hostName, programs, volumes }: MachineInitOptions): string =>
  [
    'set -e',
    `hostname ${hostName}`,
    `cd ${folder}`,
    'mount -t tmpfs tmpfs disk',
    'mkdir disk/upper disk/work disk/root',
    'mount -t overlay overlay -o lowerdir=/,upperdir=disk/upper,workdir=disk/work disk/root',
    'cd disk/root',
    'mount -t proc proc proc',
    'mount -t sysfs sysfs sys',
    'for each in dev run tmp; do mount -t tmpfs tmpfs $each; done',
    ...devices.map(([name, major, minor]) => `mknod -m 666 dev/${name} c ${major} ${minor}`),
    `for number in $(seq 0 ${loopDeviceCount - 1}); do mknod dev/loop$number b 7 $number; done`,
    'ln -s /proc/self/fd dev/fd',
    'for each in 0/stdin 1/stdout 2/stderr; do ln -s fd/${each%/*} dev/${each#*/}; done',
    'mkdir -p dev/disk/by-id dev/shm run/lock run/rehearsal old',
    `mount --bind ${folder}/shared run/rehearsal`,
    `mount --bind ${volumes} run/rehearsal/volumes`,
    `mount --bind ${logs} var/log`,
    ...programs.flatMap(({ from, to }) => [
      `rm -f .${to}`,
      `touch .${to}`,
      // Bind-mounted, because it may be on a file system that the overlay does not include.
      `mount --bind ${from} .${to}`,
    ]),
    'pivot_root . old',
    'cd /',
    'umount -l /old',
    'ip link set lo up',
    // EC2 routes an address only to the interface that has it, never to another one of the same machine.
    'echo 1 > /proc/sys/net/ipv4/conf/all/arp_ignore',
    'touch /run/rehearsal/ready',
    'while :; do wait; sleep 1; done',
  ].join('\n');
