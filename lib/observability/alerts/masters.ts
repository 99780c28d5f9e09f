import { type AlertGroup } from '../alert';
import { jobs } from '../terms';

const of = (type: string): string =>
  `max by (cluster, instance) (pinion_master_memory_bytes{${jobs.masterMemory},type="${type}"})`;
const heap = { look: 'which code paths hold the memory', command: 'pinion profile apiserver --heap' };
const lists = { look: 'which lists are large', command: 'pinion load /var/log/kubernetes/apiserver/audit.log' };
const host = { look: 'what else takes memory on the machine', command: 'free -m; systemd-cgtop -n 1 -m' };

/** Memory of masters: what the API server holds, and the page cache that counts as its own. */
export const masterAlerts: AlertGroup = {
  name: 'masters',
  alerts: [
    {
      name: 'PinionMasterMemoryNearLimit',
      owner: 'platform',
      summary: 'An API server is about to be killed for want of memory.',
      description:
        'Anonymous memory of the API server of {{ $labels.instance }} has reached {{ $value | humanizePercentage }} of its limit.',
      means:
        'Page cache can be given back, this cannot. When the server is killed its clients go to the others, which are next.',
      checks: [lists, heap, host],
      mend: 'Slow the client down whose lists fill the memory. Objects that grew in number need a larger machine: `pinion capacity plan FILE`.',
      when: [{ severity: 'critical', for: '2m', expr: `${of('anon')} / (${of('limit')} > 0) > 0.8` }],
    },
    {
      name: 'PinionMasterPageCacheHigh',
      owner: 'platform',
      summary: 'Page cache fills the memory limit of an API server.',
      description:
        'Anonymous memory and page cache of the API server of {{ $labels.instance }} fill {{ $value | humanizePercentage }} of its limit.',
      means: 'The kernel may throttle or kill the server although most of it could be given back: audit logs fill it.',
      checks: [
        {
          look: 'how much of it is file and how much inactive',
          command: 'cat /sys/fs/cgroup/kubepods.slice/memory.stat',
        },
        { look: 'whether the agent may act, or only observes', command: 'systemctl status pinion-master-memory' },
        host,
      ],
      mend: 'Let the agent act. Rotate audit logs earlier, or write them in batches.',
      when: [
        {
          severity: 'warning',
          for: '10m',
          expr: `(${of('anon')} + ${of('file')}) / (${of('limit')} > 0) > 0.9 and ${of('file')} / ${of('limit')} > 0.3`,
        },
      ],
    },
    {
      name: 'PinionMasterMemoryAgentDown',
      owner: 'platform',
      summary: 'The memory agent of a master does not answer.',
      description: 'The memory agent of {{ $labels.instance }} has not answered for 15 minutes.',
      means: 'Nobody gives page cache back there before the OOM killer comes, and nobody sees it.',
      checks: [
        { look: 'whether it runs', command: 'systemctl status pinion-master-memory' },
        { look: 'what it says', command: 'journalctl -u pinion-master-memory -n 50' },
        { look: 'whether the machine is there', command: 'kubectl get nodes -l node-role.kubernetes.io/control-plane' },
      ],
      mend: 'The image of the master has to have Node and the program. Prometheus reaches it where `masterMemory.metrics` is `workers`.',
      when: [{ severity: 'warning', for: '15m', expr: `up{${jobs.masterMemory}} == 0` }],
    },
  ],
};
