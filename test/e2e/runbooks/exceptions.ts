/** Commands that a test cannot execute, with the reason. Their syntax and what they name are checked instead. */
export interface CommandException {
  readonly commands: RegExp;
  readonly reason: string;
}

export const exceptions: readonly CommandException[] = [
  {
    commands: /^(sudo )?(journalctl|systemctl) /,
    reason: 'units of systemd run on the machines of the cluster stack; the planned machines must have the unit',
  },
  {
    commands: /^sudo (crictl|kubeadm|grep watch-cache)/,
    reason: 'containers and static pods of the control plane run on its machines, which the rehearsal boots',
  },
  { commands: /^(iostat |free -m;|ss |cat \/sys\/fs\/)/, reason: 'it shows the devices and memory of a machine' },
  {
    commands: /^curl -s http:\/\/NODE:2381/,
    reason: 'the port of etcd on the machines of the cluster stack; metrics-catalog scrapes the metrics',
  },
  {
    commands: /^curl -k https:\/\/127\.0\.0\.1:10257/,
    reason: 'the port of the controller manager on the machines; here it listens on a free port',
  },
  {
    commands: /^pinion profile controller /,
    reason: 'the API server reaches the profiles of the controller in its pod; controller-profile executes it',
  },
  { commands: /^pinion canary run$/, reason: 'it runs for minutes; canary-command executes it' },
  { commands: /^zkCli\.sh /, reason: 'the shell of ZooKeeper is not part of the tests; registrar reads the ACLs' },
  { commands: /^kubectl (describe|rollout undo)$/, reason: 'it names a command without its arguments' },
];
