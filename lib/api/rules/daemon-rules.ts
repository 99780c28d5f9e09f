import { portNumbersRule } from './load-balancer-rules';
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
    reason: 'must not be 0 without maxSurge, or updates cannot progress',
    remedy: 'raise it, or set maxSurge',
  },
  {
    name: 'daemon-update-one-way',
    cel: `!${surges} || !has(self.update.maxUnavailable) || ${zero('maxUnavailable')}`,
    fieldPath: ['update', 'maxSurge'],
    reason: 'cannot be combined with maxUnavailable',
    remedy: 'set only one of them',
  },
  {
    name: 'daemon-update-on-delete',
    cel: 'self.update.strategy != "OnDelete" || (!has(self.update.maxUnavailable) && !has(self.update.maxSurge))',
    fieldPath: ['update', 'strategy'],
    reason: 'cannot be combined with maxUnavailable and maxSurge',
    remedy: 'use RollingUpdate, or omit maxUnavailable and maxSurge',
  },
  {
    name: 'daemon-surge-host-network',
    cel: `!self.host.network || !${surges}`,
    fieldPath: ['update', 'maxSurge'],
    reason: 'cannot be combined with host.network; the ports of two pods would conflict',
    remedy: 'use maxUnavailable',
  },
  {
    name: 'daemon-surge-host-port',
    cel: `!${surges} || self.template.spec.containers.all(c, !has(c.ports) || c.ports.all(p, !has(p.hostPort) || p.hostPort == 0))`,
    where: 'client',
    fieldPath: ['update', 'maxSurge'],
    reason: 'cannot be combined with a hostPort, which allows only one pod per node',
    remedy: 'use maxUnavailable, or remove hostPort',
  },
];

const placementRules: readonly ValidationRule[] = [
  {
    name: 'daemon-tolerations',
    cel: '!has(self.tolerations) || !self.tolerateAll',
    fieldPath: ['tolerations'],
    reason: 'has no effect with tolerateAll: true',
    remedy: 'set tolerateAll to false, or omit tolerations',
  },
  {
    name: 'daemon-pool',
    cel: '!has(self.placement.pool)',
    fieldPath: ['placement', 'pool'],
    reason: 'is not supported for daemons, which have spec.pools',
    remedy: 'use spec.pools, or omit both for all nodes',
  },
  {
    name: 'daemon-spread',
    cel: 'self.placement.spread.zones != "Required" && self.placement.spread.hosts != "Required"',
    fieldPath: ['placement', 'spread'],
    reason: 'has no effect on a daemon, which runs one pod on every node',
    remedy: 'remove it',
  },
  {
    name: 'daemon-critical-tier',
    cel: '!self.critical || !has(self.tier)',
    fieldPath: ['tier'],
    reason: 'cannot be combined with critical, which sets the priority',
    remedy: 'omit tier, or set critical to false',
  },
];

const hostRules: readonly ValidationRule[] = [
  ...ownVolumeRules('daemon', ['host', 'paths']),
  {
    name: 'daemon-host-path-volume',
    cel: '!has(self.template.spec.volumes) || self.template.spec.volumes.all(v, !has(v.hostPath))',
    fieldPath: ['template', 'spec', 'volumes'],
    reason: 'must be listed in spec.host.paths, which the Project controls',
    remedy: 'add it to spec.host.paths',
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
    reason: 'has no effect with host.network, which network policies do not control',
    remedy: 'omit access, or set host.network to false',
  },
];

/** Rules across the fields of a daemon; those that need the Platform or the Project are platform rules. */
export const daemonRules: readonly ValidationRule[] = [
  ...updateRules,
  ...placementRules,
  ...hostRules,
  portNumbersRule('daemon'),
  {
    name: 'daemon-budget',
    cel: '!has(self.nodeBudget) || has(self.nodeBudget.cpu) || has(self.nodeBudget.memory)',
    fieldPath: ['nodeBudget'],
    reason: 'must set cpu or memory',
    remedy: 'set cpu, memory or both, or omit nodeBudget',
    code: 'required',
  },
];
