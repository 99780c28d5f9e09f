import { type NodeClusterConfig } from './node-cluster-config';
import { type ControlPlaneSpec, type Member } from './control-plane/control-plane-spec';
import { imageCredentialFlags } from './image-credentials';
import { containerRuntimeEndpoint, type NodeTaint } from './kubelet-configuration';
import { plainFile, type MachineFile } from './text/machine-file';
import { commandText, unitText } from './text/unit-text';

const unit = (name: string, text: string): MachineFile => plainFile(`/etc/systemd/system/${name}`, text);

/** Returns a unit that runs a script until it succeeds. */
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

/** Returns the unit of the kubelet. The scripts start it, since they write its configuration. */
const kubelet = (environment: readonly string[], args: readonly string[], argsVariable: string): MachineFile[] => [
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
        ExecStart: `${commandText('/usr/bin/kubelet', args)} \\\n  $${argsVariable}`,
        Restart: 'always',
        RestartSec: '5',
        OOMScoreAdjust: '-999',
      },
    }),
  ),
  plainFile(
    '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf',
    '# Overrides the file of the package: the unit has all arguments of the kubelet.\n',
  ),
];

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Returns the units of a control plane node, etcd excluded; its index among the members staggers snapshots and renewals. */
export function controlPlaneUnits(spec: ControlPlaneSpec, member: Member): MachineFile[] {
  const index = spec.members.findIndex(({ name }) => name === member.name);
  const minutes = Math.floor((index * spec.snapshots.everyHours * 60) / spec.members.length);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return [
    unit(
      'pinion-control-plane.service',
      task(`Make this machine control plane node ${member.name}`, '/opt/pinion/bin/control-plane', true),
    ),
    unit(
      'pinion-post-bootstrap.service',
      task('Create what nodes need to join the cluster', '/opt/pinion/bin/post-bootstrap', false),
    ),
    unit(
      'pinion-post-bootstrap.timer',
      timer('Maintain what nodes need to join the cluster', {
        OnActiveSec: '0',
        OnUnitInactiveSec: '6h',
        AccuracySec: '1s',
      }),
    ),
    unit('pinion-snapshot.service', task('Save etcd snapshots', '/opt/pinion/bin/etcd-snapshot', false)),
    unit(
      'pinion-snapshot.timer',
      timer('Save etcd snapshots in turn', {
        OnCalendar: `*-*-* ${hour}/${spec.snapshots.everyHours}:${minute}:00`,
      }),
    ),
    unit('pinion-certificates.service', task('Renew certificates', '/opt/pinion/bin/renew-certificates', false)),
    unit(
      'pinion-certificates.timer',
      timer('Check certificates weekly', {
        OnCalendar: `${days[index % days.length] ?? 'Mon'} *-*-* 10:00:00`,
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

/** Settings of the kubelets of a pool. */
interface WorkerKubelet {
  readonly cluster: NodeClusterConfig;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly NodeTaint[];
  /** Registries with a credential provider. */
  readonly imageRegistries: readonly string[];
}

/** Returns the units of a worker. */
export const workerUnits = (worker: WorkerKubelet): MachineFile[] => [
  unit('pinion-worker.service', task('Join this machine to its cluster', '/opt/pinion/bin/worker', true)),
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

/** Configuration of crictl: the socket of containerd. */
export const crictlConfiguration: MachineFile = plainFile(
  '/etc/crictl.yaml',
  `runtime-endpoint: ${containerRuntimeEndpoint}\n`,
);
