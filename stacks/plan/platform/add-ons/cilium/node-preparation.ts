const seLinuxOptions = { level: 's0', type: 'spc_t' };

/** Returns a command that runs a program of the image in the node's namespaces: copies it to the node's CNI folder, runs it, and removes it. */
const onNode = (program: string, enter: string, argument = ''): string[] => [
  'bash',
  '-ec',
  [
    `cp /usr/bin/${program} /hostbin/${program}`,
    `nsenter ${enter} "/opt/cni/bin/${program}"${argument}`,
    `rm /hostbin/${program}`,
  ].join('\n'),
];

/** Resources of the init containers. */
const initResources = { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '256Mi' } };

/** Returns the init containers that prepare a node for the Cilium agent: settings, kernel mounts and the CNI plugin. */
export function nodePreparation(image: string, variables: readonly object[]): object[] {
  const container = (
    name: string,
    command: readonly string[],
    capabilities: readonly string[],
    volumeMounts: readonly object[],
    env: readonly object[] = [],
  ) => ({
    name,
    image,
    command,
    ...(env.length > 0 && { env }),
    resources: initResources,
    securityContext: {
      seLinuxOptions,
      capabilities: { ...(capabilities.length > 0 && { add: capabilities }), drop: ['ALL'] },
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts,
  });
  const enterCapabilities = ['SYS_ADMIN', 'SYS_CHROOT', 'SYS_PTRACE'];
  const nodePrograms = [
    { name: 'proc', mountPath: '/hostproc' },
    { name: 'plugins', mountPath: '/hostbin' },
  ];
  const mountNamespace = '--mount=/hostproc/1/ns/mnt';
  return [
    container('config', ['cilium-dbg', 'build-config'], ['NET_ADMIN'], [{ name: 'tmp', mountPath: '/tmp' }], variables),
    container(
      'mount-cgroup',
      onNode('cilium-mount', `--cgroup=/hostproc/1/ns/cgroup ${mountNamespace}`, ' /run/cilium/cgroupv2'),
      enterCapabilities,
      nodePrograms,
    ),
    container('apply-sysctl-overwrites', onNode('cilium-sysctlfix', mountNamespace), enterCapabilities, nodePrograms),
    {
      ...container(
        'mount-bpf-fs',
        ['bash', '-c', 'mount | grep "/sys/fs/bpf type bpf" || mount -t bpf bpf /sys/fs/bpf'],
        [],
        [{ name: 'bpf-maps', mountPath: '/sys/fs/bpf', mountPropagation: 'Bidirectional' }],
      ),
      // Only a privileged container can create a mount that the node sees.
      securityContext: { privileged: true },
    },
    container(
      'clean-cilium-state',
      ['/init-container.sh'],
      ['NET_ADMIN', 'SYS_ADMIN', 'SYS_MODULE', 'SYS_RESOURCE'],
      [
        { name: 'bpf-maps', mountPath: '/sys/fs/bpf' },
        { name: 'cgroup', mountPath: '/run/cilium/cgroupv2', mountPropagation: 'HostToContainer' },
        { name: 'run', mountPath: '/var/run/cilium' },
      ],
      [...variables, { name: 'WRITE_CNI_CONF_WHEN_READY', value: '/host/etc/cni/net.d/05-cilium.conflist' }],
    ),
    container(
      'install-cni-binaries',
      ['/install-plugin.sh'],
      [],
      [{ name: 'plugins', mountPath: '/host/opt/cni/bin' }],
    ),
  ];
}
