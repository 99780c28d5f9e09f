import { type ActorName, memberRoles, programNames, thiefOf } from './actors';
import { allowed, type AttackTable, refusedBy, refusedByOneOf } from './attack';
import { goals } from './goals/goals';

const actors: readonly ActorName[] = [
  ...memberRoles,
  // What the controller of Projects and the Platform may do is in platform-controller-attacks.ts.
  ...programNames.filter((name) => name !== 'platform-controller').map(thiefOf),
  'administrator of bank',
  'user without a role',
  'anonymous',
  'deployer of shop',
  'worker node-0',
  'machine with a bootstrap token',
];

/** Every goal by every actor; those who may reach it succeed. */
export const everyone: AttackTable = {
  title: 'goals of every actor',
  attacks: [
    ...actors.flatMap((as) =>
      goals.map(({ name, does, rightful = [] }) => ({
        name: `${as}: ${name}`,
        as,
        does,
        expects: rightful.includes(as)
          ? allowed
          : refusedByOneOf(['rbac', 'policy', 'node', 'podSecurity', 'certificateApproval']),
      })),
    ),
    ...(['caller without a token', 'caller with a forged token'] as const).flatMap((as) =>
      goals.map(({ name, does }) => ({ name: `${as}: ${name}`, as, does, expects: refusedBy('authentication') })),
    ),
    ...goals
      .filter(({ hasNoRightfulMove = false }) => !hasNoRightfulMove)
      .map(({ name, does }) => ({
        name: `platform administrator: ${name}`,
        as: 'platform administrator' as const,
        does,
        expects: allowed,
      })),
  ],
};
