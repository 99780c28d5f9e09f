import { entryListAt, ownVolumeRules } from './own-volumes';
import { type FieldPath } from '../problem';
import { type ValidationRule } from './validation-rule';

const zero = (field: string): string => `self.update.${field} in [dyn(0), dyn("0%"), dyn("00%")]`;
const surges = `(has(self.update.maxSurge) && !(${zero('maxSurge')}))`;

const updateRules: readonly ValidationRule[] = [
  {
    name: 'daemon-update-progress',
    cel: `!has(self.update.maxUnavailable) || !(${zero('maxUnavailable')}) || ${surges}`,
    fieldPath: ['update', 'maxUnavailable'],
    reason: 'allows neither a pod more nor a pod less, so that an update could never begin',
    remedy: 'raise it, or give maxSurge',
  },
  {
    name: 'daemon-update-one-way',
    cel: `!${surges} || !has(self.update.maxUnavailable) || ${zero('maxUnavailable')}`,
    fieldPath: ['update', 'maxSurge'],
    reason: 'starts the new pod before the old one ends, and maxUnavailable does the opposite; Kubernetes takes one',
    remedy: 'give one of the two',
  },
  {
    name: 'daemon-update-on-delete',
    cel: 'self.update.strategy != "OnDelete" || (!has(self.update.maxUnavailable) && !has(self.update.maxSurge))',
    fieldPath: ['update', 'strategy'],
    reason: 'waits until somebody deletes pods, so that maxUnavailable and maxSurge have no effect',
    remedy: 'use RollingUpdate, or leave maxUnavailable and maxSurge out',
  },
  {
    name: 'daemon-surge-host-network',
    cel: `!self.host.network || !${surges}`,
    fieldPath: ['update', 'maxSurge'],
    reason: 'lets two pods share the network of one node, whose ports would collide',
    remedy: 'give maxUnavailable instead',
  },
  {
    name: 'daemon-surge-host-port',
    cel: `!${surges} || self.template.spec.containers.all(c, !has(c.ports) || c.ports.all(p, !has(p.hostPort) || p.hostPort == 0))`,
    where: 'client',
    fieldPath: ['update', 'maxSurge'],
    reason: 'needs two pods on one node, and a hostPort lets in only one',
    remedy: 'give maxUnavailable instead, or remove hostPort',
  },
];

const placementRules: readonly ValidationRule[] = [
  {
    name: 'daemon-tolerations',
    cel: '!has(self.tolerations) || !self.tolerateAll',
    fieldPath: ['tolerations'],
    reason: 'has no effect where all taints are tolerated',
    remedy: 'set tolerateAll to false, or leave tolerations out',
  },
  {
    name: 'daemon-pool',
    cel: '!has(self.placement.pool)',
    fieldPath: ['placement', 'pool'],
    reason: 'names one pool, and a daemon may run on several',
    remedy: 'give pools, or leave it out for all nodes',
  },
  {
    name: 'daemon-spread',
    cel: 'self.placement.spread.zones != "Required" && self.placement.spread.hosts != "Required"',
    fieldPath: ['placement', 'spread'],
    reason: 'has no effect on a daemon, which has one pod on every node anyway',
    remedy: 'leave it out',
  },
  {
    name: 'daemon-critical-tier',
    cel: '!self.critical || !has(self.tier)',
    fieldPath: ['tier'],
    reason: 'is a priority, and critical is another',
    remedy: 'leave tier out, or set critical to false',
  },
];

const hostRules: readonly ValidationRule[] = [
  ...ownVolumeRules('daemon', ['host', 'paths']),
  {
    name: 'daemon-host-path-volume',
    cel: '!has(self.template.spec.volumes) || self.template.spec.volumes.all(v, !has(v.hostPath))',
    fieldPath: ['template', 'spec', 'volumes'],
    reason: 'mounts a path of the node past the list that the Project allows',
    remedy: 'give it as an entry of spec.host.paths',
    code: 'platform-owned',
    find: (self): readonly FieldPath[] =>
      entryListAt(self, ['template', 'spec', 'volumes']).flatMap((volume, index) =>
        volume['hostPath'] === undefined ? [] : [['template', 'spec', 'volumes', index, 'hostPath']],
      ),
  },
  {
    name: 'daemon-host-network-access',
    cel: '!has(self.access) || !self.host.network',
    fieldPath: ['access'],
    reason: "has no effect on pods in the node's network, which network policies do not see",
    remedy: 'leave access out, or set host.network to false',
  },
];

/** Rules across the fields of a daemon; what needs the Platform or the Project is checked where those are known. */
export const daemonRules: readonly ValidationRule[] = [
  ...updateRules,
  ...placementRules,
  ...hostRules,
  {
    name: 'daemon-budget',
    cel: '!has(self.nodeBudget) || has(self.nodeBudget.cpu) || has(self.nodeBudget.memory)',
    fieldPath: ['nodeBudget'],
    reason: 'bounds nothing',
    remedy: 'give cpu, memory or both, or leave nodeBudget out',
    code: 'required',
  },
];
