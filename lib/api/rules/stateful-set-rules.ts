import { balancedPorts, portNumbersRule } from './load-balancer-rules';
import { entryListAt, ownVolumeRules } from './own-volumes';
import { type ValidationRule } from './validation-rule';

/** Rule that the members do not take the Service of the clients. */
export const membersServiceRule: ValidationRule = {
  name: 'stateful-set-members-service',
  cel: '!has(self.spec.membersService) || !has(self.spec.loadBalancer) || self.spec.membersService != self.metadata.name',
  fieldPath: ['spec', 'membersService'],
  reason: 'is the name of the Service of the load balancer, which has an address of its own',
  remedy: 'use another name, or remove spec.loadBalancer and list the ports in spec.ports',
  code: 'duplicate',
};

/** Rules across the fields of a stateful set. */
export const statefulSetRules: readonly ValidationRule[] = [
  ...ownVolumeRules('stateful-set', ['volumeClaimTemplates']),
  {
    name: 'stateful-set-members-service-fixed',
    cel: 'has(self.membersService) == has(oldSelf.membersService) && (!has(self.membersService) || self.membersService == oldSelf.membersService)',
    fieldPath: ['membersService'],
    reason: 'is immutable, because members of one set would have host names in two domains',
    remedy: 'restore its value, or create a workload of another name and move to it',
  },
  {
    name: 'stateful-set-update-progress',
    cel: '!has(self.update.maxUnavailable) || !(self.update.maxUnavailable in [dyn(0), dyn("0%"), dyn("00%")])',
    fieldPath: ['update', 'maxUnavailable'],
    reason: 'must not be 0, or updates cannot progress',
    remedy: 'use at least 1',
  },
  {
    name: 'stateful-set-update-on-delete',
    cel: 'self.update.strategy != "OnDelete" || (!has(self.update.maxUnavailable) && self.update.partition == 0)',
    fieldPath: ['update', 'strategy'],
    reason: 'cannot be combined with partition and maxUnavailable',
    remedy: 'use RollingUpdate, or omit partition and maxUnavailable',
  },
  {
    name: 'stateful-set-retention',
    cel: 'size(self.volumeClaimTemplates) > 0 || (self.persistentVolumeClaimRetentionPolicy.whenDeleted == "Retain" && self.persistentVolumeClaimRetentionPolicy.whenScaled == "Retain")',
    fieldPath: ['persistentVolumeClaimRetentionPolicy'],
    reason: 'requires volumeClaimTemplates',
    remedy: 'set volumeClaimTemplates, or omit persistentVolumeClaimRetentionPolicy',
  },
  {
    name: 'stateful-set-ports',
    cel: '!has(self.ports) || !has(self.loadBalancer) || !has(self.loadBalancer.ports) || self.ports.all(p, !self.loadBalancer.ports.exists(o, o.name == p.name || o.port == p.port))',
    where: 'client',
    fieldPath: ['ports'],
    reason: 'duplicates the name or number of a port of the load balancer, which members use already',
    remedy: 'remove it, or use another name and number',
    code: 'duplicate',
    find: (self) => {
      const taken = balancedPorts(self);
      return entryListAt(self, ['ports']).flatMap(({ name, port }, index) =>
        taken.some((other) => other['name'] === name || other['port'] === port) ? [['ports', index]] : [],
      );
    },
  },
  portNumbersRule('stateful-set'),
];
