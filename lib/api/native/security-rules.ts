import { type ValidationRule } from '../rules/validation-rule';
import * as forms from './forms';
import { type FieldLimits, type TypeRules } from './overlay';
import { clientOnly, goesWith, objectIn } from './rule-forms';

const id: FieldLimits = { minimum: 0, maximum: 2_147_483_647 };

const escalation: ValidationRule = {
  name: 'privileged-means-escalation',
  cel:
    '!has(self.allowPrivilegeEscalation) || self.allowPrivilegeEscalation || ((!has(self.privileged) || !self.privileged) && ' +
    "(!has(self.capabilities) || !has(self.capabilities.add) || !('CAP_SYS_ADMIN' in self.capabilities.add)))",
  reason: 'cannot be false for a container that is privileged or has CAP_SYS_ADMIN',
  remedy: 'omit allowPrivilegeEscalation, or drop the privilege',
  fieldPath: ['allowPrivilegeEscalation'],
  holds: (self) => {
    if (self['allowPrivilegeEscalation'] !== false) return true;
    const added = objectIn(self, 'capabilities')['add'];
    return self['privileged'] !== true && !(Array.isArray(added) && added.includes('CAP_SYS_ADMIN'));
  },
};

const localhost: TypeRules['rules'] = [
  clientOnly(goesWith('profile-is-local', 'localhostProfile', 'type', 'Localhost')),
];

/** Rules for security contexts. */
export const securityRules: Readonly<Record<string, TypeRules>> = {
  SecurityContext: { fields: { runAsUser: id, runAsGroup: id }, rules: [escalation] },
  Capabilities: { fields: { add: { maxItems: 64, items: { maxLength: 64 } } } },
  SeccompProfile: { fields: { localhostProfile: { form: forms.descendingPath } }, rules: localhost },
  AppArmorProfile: { fields: { localhostProfile: { minLength: 1, maxLength: 4095 } }, rules: localhost },
  PodSecurityContext: {
    fields: {
      runAsUser: id,
      runAsGroup: id,
      fsGroup: id,
      supplementalGroups: { items: id },
      sysctls: { maxItems: 64, keys: ['name'] },
      seLinuxChangePolicy: { enum: ['Recursive'] },
    },
  },
  Sysctl: { fields: { name: { form: forms.sysctlName } } },
};
