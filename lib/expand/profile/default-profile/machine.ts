import { type PartInput } from './part-input';

/** Part that synchronizes the clock, on which certificates, logs and leases depend. */
export const clock: PartInput = {
  name: 'clock',
  summary: 'Machine: synchronizes the clock; it lives on the machine because the kernel has one clock for all pods.',
  injection: 'Required',
  machine: {
    packages: ['chrony'],
    files: {
      '/etc/chrony/conf.d/pinion.conf':
        '# The time service that every EC2 instance reaches without the network.\nserver 169.254.169.123 prefer iburst minpoll 4 maxpoll 4\nmakestep 1.0 3\n',
    },
  },
};

/** Part that limits the size of the machine's own logs, because a full disk takes the node down. */
export const logRotation: PartInput = {
  name: 'log-rotation',
  summary:
    "Machine: limits the journal and the machine's own log files; it lives on the machine because they exist before the first pod. The kubelet rotates the output of pods.",
  injection: 'Required',
  machine: {
    packages: ['logrotate'],
    files: {
      '/etc/systemd/journald.conf.d/90-pinion.conf':
        '[Journal]\nSystemMaxUse=2G\nSystemKeepFree=4G\nMaxRetentionSec=14day\nRateLimitIntervalSec=30s\nRateLimitBurst=10000\n',
      '/etc/logrotate.d/pinion':
        '/var/log/pinion/*.log {\n    daily\n    rotate 7\n    maxsize 256M\n    missingok\n    notifempty\n    compress\n    copytruncate\n}\n',
    },
  },
};

/** Part with kernel settings that neither pods nor the kubelet can set. */
export const kernel: PartInput = {
  name: 'kernel',
  summary:
    'Machine: modules and kernel settings for many pods on one node; it lives on the machine because the kernel is shared.',
  injection: 'Required',
  machine: {
    files: {
      '/etc/modules-load.d/pinion.conf': 'overlay\nbr_netfilter\nnf_conntrack\n',
      '/etc/sysctl.d/90-pinion.conf': `net.bridge.bridge-nf-call-iptables = 1
net.bridge.bridge-nf-call-ip6tables = 1
net.ipv4.ip_forward = 1
net.ipv4.neigh.default.gc_thresh1 = 8192
net.ipv4.neigh.default.gc_thresh2 = 16384
net.ipv4.neigh.default.gc_thresh3 = 32768
net.core.somaxconn = 32768
net.netfilter.nf_conntrack_max = 1048576
fs.inotify.max_user_instances = 8192
fs.inotify.max_user_watches = 1048576
kernel.pid_max = 4194304
vm.max_map_count = 262144
vm.overcommit_memory = 1
kernel.panic = 10
kernel.panic_on_oops = 1
`,
    },
  },
};

const reclaim = `#!/bin/sh
# Page cache counts towards a cgroup's limit: where it fills more than 90 % of one, gives back a tenth of the limit.
for limit in $(find /sys/fs/cgroup/kubepods.slice /sys/fs/cgroup/kubepods -name memory.max 2>/dev/null); do
  group=\${limit%/memory.max}
  max=$(cat "$limit" 2>/dev/null) || continue
  case "$max" in max | '') continue ;; esac
  used=$(cat "$group/memory.current" 2>/dev/null) || continue
  [ "$((used * 10))" -ge "$((max * 9))" ] || continue
  cache=$(awk '$1 == "inactive_file" { print $2 }' "$group/memory.stat" 2>/dev/null)
  [ "\${cache:-0}" -ge "$((max / 10))" ] || continue
  echo "$((max / 10))" > "$group/memory.reclaim" 2>/dev/null && echo "reclaimed $((max / 10)) bytes of page cache in $group"
done
exit 0
`;

/** Part that reclaims page cache before a cgroup reaches its limit. */
export const memoryAgent: PartInput = {
  name: 'memory-agent',
  summary:
    'Machine: monitors the memory of each cgroup and reclaims page cache near its limit (cgroup v2); it lives on the machine because only there all cgroups, including those of the control plane, can be written.',
  injection: 'Required',
  machine: {
    files: { '/opt/pinion/bin/memory-agent': reclaim },
    units: {
      'pinion-memory-agent.service': `[Unit]
Description=Give page cache back near memory limits
ConditionPathExists=/sys/fs/cgroup/cgroup.controllers

[Service]
Type=oneshot
ExecStart=/bin/sh /opt/pinion/bin/memory-agent
Nice=10
`,
      'pinion-memory-agent.timer': `[Unit]
Description=Look at memory limits every 15 seconds

[Timer]
OnBootSec=60
OnUnitActiveSec=15
AccuracySec=1

[Install]
WantedBy=timers.target
`,
    },
  },
};
