import fc from 'fast-check';
import { type RbacBinding, Rbac, type RbacRole } from '../../../lib/gateway/authorization/rbac';
import { type Attributes, type RbacRule, ruleAllows, subjectKey } from '../../../lib/gateway/authorization/rbac-rules';

const rule = (more: Partial<RbacRule>): RbacRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  ...more,
});
const get: Attributes = { verb: 'get', group: '', resource: 'pods', namespace: 'a', name: 'p' };

test.each<[Partial<RbacRule>, Partial<Attributes>, boolean]>([
  [{}, {}, true],
  [{ verbs: ['*'] }, { verb: 'watch' }, true],
  [{ apiGroups: ['*'] }, { group: 'apps' }, true],
  [{ resources: ['*'] }, { subresource: 'exec' }, true],
  [{}, { verb: 'list' }, false],
  [{}, { group: 'apps' }, false],
  [{}, { subresource: 'exec' }, false],
  [{ resources: ['pods/exec'] }, {}, false],
  [{ resources: ['pods/exec'] }, { subresource: 'exec' }, true],
  [{ resources: ['*/exec'] }, { subresource: 'exec' }, true],
  [{ resources: ['*/exec'] }, { subresource: 'log' }, false],
  [{ resources: ['pods/*'] }, { subresource: 'exec' }, false],
  [{ resources: ['*/*'] }, { subresource: 'exec' }, false],
  [{ resourceNames: ['p'] }, {}, true],
  [{ resourceNames: ['q'] }, {}, false],
  [{ resourceNames: ['*'] }, {}, false],
  [{ resourceNames: [] }, {}, true],
])('the rule %j with the request %j: %p', (more, asked, does) => {
  expect(ruleAllows(rule(more), { ...get, ...asked })).toBe(does);
});

test('a rule for names allows no request without one', () => {
  const { name: _, ...collection } = get;
  expect(ruleAllows(rule({ resourceNames: ['p', ''] }), collection)).toBe(false);
  expect(ruleAllows(rule({ resourceNames: ['p', ''] }), { ...collection, name: '' })).toBe(false);
});

test('a rule for paths allows no resource', () => {
  expect(ruleAllows({ verbs: ['*'], nonResourceURLs: ['*'] } as RbacRule, get)).toBe(false);
});

test.each([
  [{ kind: 'User', name: 'ann' }, 'a', 'User:ann'],
  [{ kind: 'Group', name: 'dev' }, 'a', 'Group:dev'],
  [{ kind: 'ServiceAccount', name: 'bot' }, 'a', 'User:system:serviceaccount:a:bot'],
  [{ kind: 'ServiceAccount', name: 'bot', namespace: 'b' }, 'a', 'User:system:serviceaccount:b:bot'],
  [{ kind: 'ServiceAccount', name: 'bot' }, undefined, undefined],
  [{ kind: 'Robot', name: 'bot' }, 'a', undefined],
])('the subject %j of a binding in %s is %s', (subject, namespace, key) => {
  expect(subjectKey(subject, namespace)).toBe(key);
});

const verbs = fc.constantFrom('get', 'list');
const scope = fc.constantFrom(undefined, 'a', 'b');
const roleName = fc.constantFrom('one', 'two');
const roles = fc.array(
  fc.record({
    namespace: scope,
    name: roleName,
    rules: fc.array(
      verbs.map((verb) => rule({ verbs: [verb] })),
      { maxLength: 2 },
    ),
  }),
  { maxLength: 5 },
);
const subject = fc.constantFrom(
  { kind: 'User', name: 'ann' },
  { kind: 'Group', name: 'dev' },
  { kind: 'ServiceAccount', name: 'bot', namespace: 'a' },
  // A group of the name of a user, and the reverse, are somebody else.
  { kind: 'Group', name: 'ann' },
  { kind: 'User', name: 'dev' },
);
const binding = fc
  .record({
    namespace: scope,
    kind: fc.constantFrom('Role', 'ClusterRole'),
    name: roleName,
    subjects: fc.array(subject, { maxLength: 2 }),
  })
  // The API server accepts no binding of all namespaces to a role of one.
  .filter(({ namespace, kind }) => namespace !== undefined || kind === 'ClusterRole')
  .map(({ namespace, kind, name, subjects }): RbacBinding => ({ namespace, role: { kind, name }, subjects }));
const username = fc.constantFrom('ann', 'dev', 'system:serviceaccount:a:bot', 'system:serviceaccount:b:bot');
const groups = fc.uniqueArray(fc.constantFrom('dev', 'ann'), { maxLength: 2 });

test('a request is allowed if a binding of its scope leads one of its subjects to a rule that allows it', () => {
  const isSubject = (
    name: string,
    memberships: readonly string[],
    { kind, ...of }: RbacBinding['subjects'][number],
  ): boolean =>
    kind === 'User'
      ? name === of.name
      : kind === 'Group'
        ? memberships.includes(of.name)
        : name === `system:serviceaccount:${of.namespace}:${of.name}`;
  fc.assert(
    fc.property(
      roles,
      fc.array(binding, { maxLength: 5 }),
      username,
      groups,
      verbs,
      scope,
      (all, bound, name, member, verb, namespace) => {
        // Names are unique within their scope; the last one counts here.
        const found = (kind: string, of: string | undefined, called: string): RbacRole | undefined =>
          all.findLast((role) => role.name === called && role.namespace === (kind === 'Role' ? of : undefined));
        const expected = bound.some(
          (one) =>
            (one.namespace === undefined || one.namespace === namespace) &&
            one.subjects.some((candidate) => isSubject(name, member, candidate)) &&
            (found(one.role.kind, one.namespace, one.role.name)?.rules ?? []).some((allowed) =>
              allowed.verbs.includes(verb),
            ),
        );
        const attributes = { verb, group: '', resource: 'pods', ...(namespace !== undefined && { namespace }) };
        expect(new Rbac(all, bound).allows(name, member, attributes)).toBe(expected);
      },
    ),
  );
});

test('the group system:masters may do everything, a user of that name nothing', () => {
  const rbac = new Rbac([], []);
  expect(rbac.allows('ann', ['system:masters'], get)).toBe(true);
  expect(rbac.allows('system:masters', [], get)).toBe(false);
});
