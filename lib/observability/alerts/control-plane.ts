import { type AlertGroup } from './alert';
import { jobs } from '../promql';
import { apiServerHeapStep, auditStep } from './diagnosis-steps';

const memoryOf = (type: string): string =>
  `max by (cluster, instance) (pinion_apiserver_memory_bytes{${jobs.apiServerMemory},type="${type}"})`;
const heap = apiServerHeapStep('which code paths hold the memory');
const lists = auditStep('which lists are large');
const otherProcesses = {
  check: 'the memory usage of other processes on the machine',
  command: 'free -m; systemd-cgtop -n 1 -m',
};

/** Alerts on the memory of API servers, including the page cache that counts against their limit. */
export const controlPlaneAlerts: AlertGroup = {
  name: 'control-plane',
  alerts: [
    {
      name: 'PinionControlPlaneMemoryNearLimit',
      owner: 'platform',
      summary: 'An API server is close to its memory limit.',
      description:
        'The anonymous memory of the API server on {{ $labels.instance }} is at {{ $value | humanizePercentage }} of its limit.',
      impact:
        'Unlike page cache, anonymous memory cannot be reclaimed. When the server is OOM-killed, its clients move to the other servers, which are likely to follow.',
      diagnosis: [lists, heap, otherProcesses],
      mitigation:
        'Throttle the client whose lists fill the memory. If the number of objects grew, move to a larger machine type: `pinion capacity plan FILE`.',
      conditions: [{ severity: 'critical', for: '2m', expr: `${memoryOf('anon')} / (${memoryOf('limit')} > 0) > 0.8` }],
    },
    {
      name: 'PinionControlPlanePageCacheHigh',
      owner: 'platform',
      summary: 'Page cache fills the memory limit of an API server.',
      description:
        'Anonymous memory and page cache of the API server on {{ $labels.instance }} are at {{ $value | humanizePercentage }} of its limit.',
      impact:
        'The kernel may throttle or OOM-kill the server although most of this memory is reclaimable. Audit logs are the usual cause.',
      diagnosis: [
        {
          check: 'how much of the memory is file cache, and how much of that is inactive',
          command: 'cat /sys/fs/cgroup/kubepods.slice/memory.stat',
        },
        {
          check: 'whether the agent runs in `act` or `observe` mode',
          command: 'systemctl status pinion-apiserver-memory',
        },
        otherProcesses,
      ],
      mitigation: 'Set the memory agent to `act` mode. Rotate audit logs earlier, or write them in batches.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `(${memoryOf('anon')} + ${memoryOf('file')}) / (${memoryOf('limit')} > 0) > 0.9 and ${memoryOf('file')} / ${memoryOf('limit')} > 0.3`,
        },
      ],
    },
    {
      name: 'PinionControlPlaneMemoryAgentDown',
      owner: 'platform',
      summary: 'The memory agent of a control plane node is unreachable.',
      description: 'The memory agent of {{ $labels.instance }} has been unreachable for 15 minutes.',
      impact:
        'On this node, page cache is not reclaimed before the OOM killer acts, and memory usage is not monitored.',
      diagnosis: [
        { check: 'whether it runs', command: 'systemctl status pinion-apiserver-memory' },
        { check: 'its log', command: 'journalctl -u pinion-apiserver-memory -n 50' },
        { check: 'whether the machine exists', command: 'kubectl get nodes -l node-role.kubernetes.io/control-plane' },
      ],
      mitigation:
        'The machine image of control plane nodes must contain Node.js and the program. Prometheus can reach the agent only if `pageCacheReclaim.metrics` is `workers`.',
      conditions: [{ severity: 'warning', for: '15m', expr: `up{${jobs.apiServerMemory}} == 0` }],
    },
  ],
};
