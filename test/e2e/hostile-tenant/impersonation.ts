import { controllerName, deployerName } from '../../../lib/expand';
import { type ActorName, memberRoles, programNames, thiefOf } from './actors';
import { type Attack, type AttackTable, refusedWith } from './attack';
import { outcomeOf } from './run-attacks';

const victims = [
  { user: 'admin', groups: ['system:masters'] },
  { user: 'eve', groups: ['platform-administrators'] },
  { user: 'bob', groups: ['bank-admin'] },
  { user: `system:serviceaccount:${controllerName}:${controllerName}` },
  { user: 'system:serviceaccount:kube-system:generic-garbage-collector' },
  { user: 'system:serviceaccount:shop:default' },
  { user: `system:serviceaccount:shop:${deployerName}` },
  { user: 'system:node:node-1', groups: ['system:nodes'] },
];

const actors: readonly ActorName[] = [
  ...memberRoles,
  ...programNames.map(thiefOf),
  'administrator of bank',
  'user without a role',
  'deployer of shop',
  'deployer of plain',
  'worker node-0',
];

/** Acts as another identity by the headers of impersonation; the service alone acts as deployers. */
const impersonate = (as: ActorName, victim: (typeof victims)[number]): Attack => ({
  name: `${as}: act as ${victim.user}${victim.groups ? ` of ${victim.groups.join()}` : ''}`,
  as,
  async does({ scene, token }) {
    const client = scene.cluster.withToken(token, victim);
    return outcomeOf(await client.request('GET', '/apis/pinterest.com/v1/namespaces/shop/pinterestservices'));
  },
  expects: refusedWith('rbac', 403, /cannot impersonate/),
});

/** Impersonation of others. */
export const impersonation: AttackTable = {
  title: 'impersonation',
  attacks: [
    ...actors.flatMap((as) =>
      victims
        .filter(({ user }) => !(as === thiefOf('submission') && user.endsWith(`:${deployerName}`)))
        .map((victim) => impersonate(as, victim)),
    ),
    {
      name: 'stolen token of submission: as a deployer, which it may be, write an unsigned workload into the protected project',
      as: thiefOf('submission'),
      async does({ scene, token }) {
        const client = scene.cluster.withToken(token, { user: `system:serviceaccount:shop:${deployerName}` });
        const path = '/apis/pinterest.com/v1/namespaces/shop/pinterestservices';
        return outcomeOf(
          await client.request(
            'POST',
            path,
            { apiVersion: 'pinterest.com/v1', kind: 'PinterestService', metadata: { name: 'evil' }, spec: {} },
            { dryRun: true },
          ),
        );
      },
      expects: refusedWith('schema', [403, 422], /./),
    },
  ],
};
