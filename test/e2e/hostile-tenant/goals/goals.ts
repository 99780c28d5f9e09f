import { type Goal } from './goal';
import { rbacGoals } from './rbac-goals';
import { policyGoals } from './policy-goals';
import { namespaceGoals } from './namespace-goals';
import { platformGoals } from './platform-goals';
import { identityGoals } from './identity-goals';
import { nodeGoals } from './node-goals';
import { subresourceGoals } from './subresource-goals';

/** Goals that no tenant and no stolen token reaches, except the rightful ones. */
export const goals: readonly Goal[] = [
  ...rbacGoals,
  ...policyGoals,
  ...namespaceGoals,
  ...platformGoals,
  ...identityGoals,
  ...nodeGoals,
  ...subresourceGoals,
];
