import { metadataKeys } from '../../../lib/api';
import { type ActorName, memberRoles, programNames, thiefOf, userNameOf } from './actors';
import { allowed, type Attack, type AttackTable, refusedBy, refusedByOneOf } from './attack';
import { cart } from './members';

const digest = `sha256:${'a'.repeat(64)}`;
/** A change of what runs. */
const spec = {
  template: { spec: { containers: [{ name: 'app', image: `registry.example.com/evil@${digest}` }] } },
};
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const text = (user: string, hours = 1, reason = 'checkout is down, INC-4711'): string =>
  JSON.stringify({ expires: inHours(hours), reason, user });
/** With a stage that owns the cluster, which is guarded for itself. */
const withAnnotation = (value: string | null, rest: object = { spec }) => ({
  metadata: { annotations: { [metadataKeys.breakGlass]: value }, labels: { [metadataKeys.stage]: 'production' } },
  ...rest,
});

const refused = refusedByOneOf(['rbac', 'policy', 'node']);
/** Everyone but the groups of `Platform.spec.breakGlass`, also those who may change the workload otherwise. */
const others: readonly ActorName[] = [
  ...memberRoles,
  ...programNames.map(thiefOf),
  'deployer of shop',
  'workload of shop',
  'administrator of bank',
  'user without a role',
  'worker node-0',
  'platform administrator',
];
const byOthers = others.flatMap((as): Attack[] => {
  const own = userNameOf(as);
  const moves: readonly (readonly [string, object])[] = [
    ['bypass the proof', withAnnotation(text(own))],
    ['bypass the proof as the member on call', withAnnotation(text(userNameOf('member on call')))],
    ['prepare to bypass the proof', withAnnotation(text(own), {})],
    ['bypass the proof without a format', withAnnotation('yes')],
  ];
  return ['shop', 'plain'].flatMap((project) =>
    moves.map(([name, change]) => ({
      name: `${as}: ${name} in ${project}`,
      as,
      does: { patch: cart(project), with: change },
      expects: refused,
    })),
  );
});

const as = 'member on call' as const;
const own = userNameOf(as);
const spellings: readonly (readonly [name: string, value: string])[] = [
  ['for two days', text(own, 48)],
  ['after it expired', text(own, -1)],
  ['as another user', text('petra')],
  ['without a reason', text(own, 1, '')],
  ['without a user', JSON.stringify({ expires: inHours(1), reason: 'checkout is down' })],
  ['without an end', JSON.stringify({ reason: 'checkout is down', user: own })],
];
const byMember = spellings.map(([name, value]): Attack => ({
  name: `${as}: bypass the proof ${name}`,
  as,
  does: { patch: cart('shop'), with: withAnnotation(value) },
  expects: refusedByOneOf(['break-glass.pinterest.com', 'protected-workloads.pinterest.com']),
}));

/** Changes that bypass the proof of a workload. */
export const breakGlass: AttackTable = {
  title: 'break-glass changes',
  attacks: [
    ...byOthers,
    ...byMember,
    {
      name: `${as}: change a workload without the annotation`,
      as,
      does: { patch: cart('shop'), with: { spec } },
      expects: refusedBy('policy'),
    },
    { name: `${as}: delete a workload of shop`, as, does: { delete: cart('shop') }, expects: refusedBy('policy') },
    {
      name: `${as}: change the Deployment with the annotation`,
      as,
      does: {
        patch: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'cart', namespace: 'shop' } },
        with: withAnnotation(text(own)),
      },
      expects: refusedBy('policy'),
    },
    {
      name: `${as}: bypass the proof`,
      as,
      does: { patch: cart('shop'), with: withAnnotation(text(own)) },
      expects: allowed,
    },
    {
      name: `${as}: bypass the proof for a day`,
      as,
      does: { patch: cart('shop'), with: withAnnotation(text(own, 23.9)) },
      expects: allowed,
    },
  ],
};
