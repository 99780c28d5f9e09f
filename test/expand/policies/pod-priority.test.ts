import { policyVerdict } from './policy-verdict';

const facts = {
  'pinterest.com/administrators': 'oidc:platform CN=ops,OU=it',
  'pinterest.com/default-priority': '1000',
  'pinterest.com/open-tiers': 'standard,batch',
  'pinterest.com/tiers': 'critical',
};
const verdict = (spec: object, { groups = [] as readonly string[], of = facts as object | null } = {}) =>
  policyVerdict('pod-priority', {
    user: 'ana',
    groups,
    resource: 'pods',
    namespace: 'shop',
    ...(of && { facts: of as typeof facts }),
    object: { metadata: { name: 'cart' }, spec } as never,
  });
const refused = expect.stringContaining('is not a tier that the project may take');

test.each(['critical', 'standard', 'batch'])('a pod may have the tier %s, which its namespace lists', (tier) => {
  expect(verdict({ priorityClassName: tier })).toBeUndefined();
});

test('a pod has no other class, but a default of the cluster that preempts no pod of the default tier', () => {
  expect(verdict({ priorityClassName: 'system-node-critical', priority: 2_000_001_000 })).toEqual(refused);
  expect(verdict({ priorityClassName: 'cluster-default', priority: 1000 })).toBeUndefined();
  expect(verdict({ priorityClassName: 'cluster-default', priority: 1001 })).toEqual(refused);
});

test.each(['oidc:platform', 'CN=ops,OU=it'])('the administrators %s give a pod any class', (group) => {
  expect(verdict({ priorityClassName: 'system-node-critical' }, { groups: [group] })).toBeUndefined();
  expect(verdict({ priorityClassName: 'system-node-critical' }, { groups: [`${group}-guests`] })).toEqual(refused);
});

test('a namespace without the facts grants no class, and the administrators are those of a new Platform', () => {
  expect(verdict({ priorityClassName: 'standard', priority: 0 }, { of: null })).toEqual(refused);
  expect(verdict({ priorityClassName: 'standard' }, { of: null, groups: ['oidc:platform'] })).toEqual(refused);
  expect(verdict({ priorityClassName: 'standard' }, { of: null, groups: ['system:masters'] })).toBeUndefined();
});
