import { type AttackTable } from './attack';
import { breakGlass } from './break-glass';
import { everyone } from './everyone';
import { expansionRecords } from './expansion-records';
import { forgedStatus } from './forged-status';
import { grants } from './grants';
import { hosts } from './hosts';
import { impersonation } from './impersonation';
import { installedPolicyAttacks } from './installed-policies';
import { members } from './members';
import { nodeLabels } from './node-labels';
import { stolenControllers } from './stolen-controllers';

/** All areas of the suite. A new area is a file with a table, and a line here. */
export const areas: readonly AttackTable[] = [
  everyone,
  members,
  impersonation,
  hosts,
  grants,
  breakGlass,
  forgedStatus,
  expansionRecords,
  nodeLabels,
  stolenControllers,
  installedPolicyAttacks,
];
