import { type ClusterFacts } from './cluster-facts';
import { type ControlPlaneSpec, type Member } from './control-plane-spec';
import { imageCredentialFlags } from './image-credentials';
import { containerRuntimeEndpoint, type Taint } from './kubelet-configuration';
import { plainFile, type MachineFile } from './machine-file';
import { commandLines, unitText } from './unit-file';

const unit = (name: string, text: string): MachineFile => plainFile(`/etc/systemd/system/${name}`, text);

/** A unit that runs a script of ours once, and again until it succeeds. */
const task = (description: string, script: string, install: boolean): string =>
  unitText({
    Unit: {
      Description: description,
      Wants: 'network-online.target',
      After: 'network-online.target',
      StartLimitIntervalSec: '0',
    },
    Service: {
      Type: 'oneshot',
      ExecStart: script,
      Restart: 'on-failure',
      RestartSec: '10',
      ...(install && { RemainAfterExit: 'yes' }),
    },
    ...(install && { Install: { WantedBy: 'multi-user.target' } }),
  });

const timer = (description: string, when: Readonly<Record<string, string>>): string =>
  unitText({ Unit: { Description: description }, Timer: when, Install: { WantedBy: 'timers.target' } });

/** The kubelet; it is started by our scripts, never by itself, because what it reads is made by them. */
const kubelet = (environment: readonly string[], args: readonly string[], last: string): MachineFile[] => [
  unit(
    'kubelet.service',
    unitText({
      Unit: {
        Description: 'kubelet',
        Wants: 'containerd.service',
        After: 'containerd.service',
        StartLimitIntervalSec: '0',
      },
      Service: {
        EnvironmentFile: environment,
        ExecStart: `${commandLines('/usr/bin/kubelet', args)} \\\n  $${last}`,
        Restart: 'always',
        RestartSec: '5',
        OOMScoreAdjust: '-999',
      },
    }),
  ),
  plainFile(
    '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf',
    "# Stands in for the package's file of this name: all that the kubelet is started with is in its unit.\n",
  ),
];

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Units of a master but for its etcds; the masters take turns by their place in the list. */
export function masterUnits(spec: ControlPlaneSpec, member: Member): MachineFile[] {
  const place = spec.members.findIndex(({ name }) => name === member.name);
  const minutes = Math.floor((place * spec.snapshots.everyHours * 60) / spec.members.length);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return [
    unit('pinion-master.service', task(`Make this machine master ${member.name}`, '/opt/pinion/bin/master', true)),
    unit('pinion-settle.service', task('Give the cluster what joining it needs', '/opt/pinion/bin/settle', false)),
    unit(
      'pinion-settle.timer',
      timer('Keep what joining the cluster needs', { OnActiveSec: '0', OnUnitInactiveSec: '6h', AccuracySec: '1s' }),
    ),
    unit('pinion-snapshot.service', task('Keep snapshots of etcd', '/opt/pinion/bin/etcd-snapshot', false)),
    unit(
      'pinion-snapshot.timer',
      timer('Take snapshots of etcd in turn', {
        OnCalendar: `*-*-* ${hour}/${spec.snapshots.everyHours}:${minute}:00`,
      }),
    ),
    unit('pinion-certificates.service', task('Renew certificates', '/opt/pinion/bin/renew-certificates', false)),
    unit(
      'pinion-certificates.timer',
      timer('Look at certificates once a week', {
        OnCalendar: `${days[place % days.length] ?? 'Mon'} *-*-* 10:00:00`,
        Persistent: 'true',
      }),
    ),
    ...kubelet(
      ['/var/lib/kubelet/kubeadm-flags.env'],
      ['--kubeconfig=/etc/kubernetes/kubelet.conf', '--config=/var/lib/kubelet/config.yaml'],
      'KUBELET_KUBEADM_ARGS',
    ),
  ];
}

/** How kubelets of a pool are started. */
interface WorkerKubelet {
  readonly cluster: ClusterFacts;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Registries that a credential provider logs in to. */
  readonly imageRegistries: readonly string[];
}

/** Units of a worker. */
export const workerUnits = (worker: WorkerKubelet): MachineFile[] => [
  unit('pinion-worker.service', task('Let this machine join its cluster', '/opt/pinion/bin/worker', true)),
  ...kubelet(
    ['/etc/pinion/kubelet.env'],
    [
      '--kubeconfig=/etc/kubernetes/kubelet.conf',
      '--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf',
      '--config=/etc/kubernetes/kubelet.yaml',
      '--cloud-provider=external',
      ...(Object.keys(worker.labels).length > 0 ? [`--node-labels=${labelText(worker.labels)}`] : []),
      ...Object.entries(imageCredentialFlags(worker.imageRegistries)).map(([name, value]) => `--${name}=${value}`),
    ],
    'NODE_ARGUMENTS',
  ),
];

const labelText = (labels: Readonly<Record<string, string>>): string =>
  Object.keys(labels)
    .sort()
    .map((key) => `${key}=${labels[key] ?? ''}`)
    .join(',');

/** containerd's socket, for what asks it directly. */
export const crictlConfiguration: MachineFile = plainFile(
  '/etc/crictl.yaml',
  `runtime-endpoint: ${containerRuntimeEndpoint}\n`,
);
