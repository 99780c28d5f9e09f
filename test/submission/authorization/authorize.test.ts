import fc from 'fast-check';
import { apiVersion, parseManifest, explainProblem, type PlatformManifest, type SpecInput } from '../../../lib/api';
import { type Caller } from '../../../lib/contract';
import { expandProject, defaultPlatform } from '../../../lib/expand';
import {
  actions,
  authorize,
  allowedOnAll,
  noSuchProject,
  roleOf,
  roleOrRefusal,
  type Action,
  type AuthorizationDecision,
} from '../../../lib/submission/authorization';

type Members = NonNullable<SpecInput<'Project'>['members']>;

const publisher = { issuer: 'https://ci.example.com', repository: 'commerce/shop', ref: 'refs/heads/main' };

function project(spec: Partial<SpecInput<'Project'>> = {}, deployers?: readonly string[]): PlatformManifest<'Project'> {
  const kind = 'Project' as const;
  const made = parseManifest({ apiVersion, kind, metadata: { name: 'shop' }, spec: { team: 'shop', ...spec } });
  if (!deployers) return made;
  const stages = made.spec.stages?.map((stage) => (stage.name === 'prod' ? { ...stage, deployers } : stage));
  return { ...made, spec: { ...made.spec, ...(stages && { stages }) } } as PlatformManifest<'Project'>;
}

const who = (subject: string, ...groups: readonly string[]): Caller => ({
  subject,
  issuer: 'https://login.example.com',
  kind: subject.startsWith('system:serviceaccount:') ? 'ServiceAccount' : 'User',
  groups: [...groups],
});

const members: Members = [
  { name: 'shop-admins', role: 'admin' },
  { name: 'shop-developers', role: 'edit' },
  { name: 'shop-viewers', role: 'view' },
  { kind: 'User', name: 'oidc:ada', role: 'admin' },
  { kind: 'ServiceAccount', name: 'bot', role: 'edit' },
  { kind: 'ServiceAccount', name: 'ci/publisher', role: 'view' },
];
const shop = project({ members });
const allActions = Object.keys(actions) as Action[];
const explain = (verdict: AuthorizationDecision): string =>
  'problems' in verdict ? verdict.problems.map(explainProblem).join('\n') : JSON.stringify(verdict);

test.each<[string, Caller, string | undefined]>([
  ['a group', who('ben', 'shop-developers'), 'edit'],
  ['the highest of several groups', who('ben', 'shop-viewers', 'shop-admins', 'shop-developers'), 'admin'],
  ['a user', who('oidc:ada'), 'admin'],
  ['a user of the same name without the prefix', who('ada'), undefined],
  ['a service account of the project', who('system:serviceaccount:shop:bot'), 'edit'],
  ['one with its name in another project', who('system:serviceaccount:ci:bot'), undefined],
  ['a service account by its namespace', who('system:serviceaccount:ci:publisher'), 'view'],
  ['a user with the name of a service account', { ...who('system:serviceaccount:shop:bot'), kind: 'User' }, undefined],
  ['a user with the name of a group', who('shop-admins'), undefined],
  ['a group with the name of a user', who('eve', 'oidc:ada'), undefined],
  ['a non-member', who('eve', 'somebody-else', 'shop-admin', 'Shop-Admins'), undefined],
])('%s has the role of the member', (_, caller, role) => {
  expect(roleOf(caller, shop)).toBe(role);
});

test.each<[Action, string[]]>([
  ['read', ['view', 'edit', 'admin']],
  ['deploy', ['edit', 'admin']],
  ['cancelOwn', ['edit', 'admin']],
  ['cancelOthers', ['admin']],
  ['approve', ['admin']],
])('permission to %s requires one of the roles %j', (action, roles) => {
  for (const [role, group] of [
    ['view', 'shop-viewers'],
    ['edit', 'shop-developers'],
    ['admin', 'shop-admins'],
  ] as const) {
    const verdict = authorize(who('ben', group), shop, action);
    if (roles.includes(role)) expect(verdict).toEqual({ role });
    else expect(explain(verdict)).toMatch(new RegExp(`spec.members: grant you the role ${role}, .*ask for the role`));
  }
});

test('a non-member gets the same response as for a missing project', () => {
  for (const action of allActions) {
    const verdict = authorize(who('eve', 'somebody-else'), shop, action, 'no-such-stage');
    expect(verdict).toEqual({ hidden: true });
    expect(() => roleOrRefusal(verdict, 'shop')).toThrow(noSuchProject('shop'));
  }
  expect(noSuchProject('shop')).toMatchObject({ status: 404 });
});

const staged = (deployers?: readonly string[]) =>
  project(
    { members, stages: [{ name: 'test' }, { name: 'prod', publishers: [publisher], breakGlass: ['shop-oncall'] }] },
    deployers,
  );

test('a stage that the Project does not list is rejected with the stages that it lists', () => {
  const verdict = authorize(who('ben', 'shop-developers'), staged(), 'deploy', 'prd');
  expect(explain(verdict)).toMatch(/"prd" is not a stage of the Project; did you mean "prod"/);
  expect(authorize(who('ben', 'shop-developers'), shop, 'deploy', 'any')).toEqual({ role: 'edit' });
});

test('a stage may restrict who deploys to it, including administrators, and nothing else', () => {
  const narrow = staged(['release-managers']);
  for (const group of ['shop-developers', 'shop-admins']) {
    const verdict = authorize(who('ben', group), narrow, 'deploy', 'prod');
    expect(explain(verdict)).toMatch(/"prod" accepts deployments of certain groups only; ask .*: release-managers/);
    expect(() => roleOrRefusal(verdict, 'shop')).toThrow(expect.objectContaining({ status: 403 }));
    expect(authorize(who('ben', group), narrow, 'deploy', 'test')).toHaveProperty('role');
    expect(authorize(who('ben', group, 'release-managers'), narrow, 'deploy', 'prod')).toHaveProperty('role');
  }
  expect(authorize(who('ben', 'shop-viewers', 'release-managers'), narrow, 'deploy', 'prod')).toHaveProperty(
    'problems',
  );
  expect(authorize(who('ben', 'release-managers'), narrow, 'deploy', 'prod')).toEqual({ hidden: true });
  expect(authorize(who('ben', 'shop-admins'), narrow, 'approve', 'prod')).toEqual({ role: 'admin' });
  expect(authorize(who('ben', 'shop-developers'), staged([]), 'deploy', 'prod')).toEqual({ role: 'edit' });
});

test('break-glass requires an authorized group and the deployer role', () => {
  const narrow = staged(['release-managers']);
  expect(authorize(who('dora', 'shop-oncall', 'shop-developers'), narrow, 'breakGlass', 'prod')).toEqual({
    role: 'edit',
  });
  expect(explain(authorize(who('ada', 'shop-admins', 'release-managers'), narrow, 'breakGlass', 'prod'))).toMatch(
    /does not let your groups bypass its publishers; ask .*: shop-oncall/,
  );
  expect(authorize(who('dora', 'shop-oncall'), narrow, 'breakGlass', 'prod')).toEqual({ hidden: true });
  expect(authorize(who('dora', 'shop-oncall', 'shop-viewers'), narrow, 'breakGlass', 'prod')).toHaveProperty(
    'problems',
  );
  // A stage without such groups has no break-glass.
  expect(explain(authorize(who('ada', 'shop-admins'), narrow, 'breakGlass', 'test'))).toMatch(
    /artifact of its publishers/,
  );
  expect(authorize(who('ada', 'shop-admins'), shop, 'breakGlass', 'any')).toHaveProperty('problems');
});

test('with several clusters each is checked, and the least role counts', () => {
  const less = project({ members: [{ name: 'shop-admins', role: 'edit' }] });
  const targets = [
    { target: 'east', project: shop },
    { target: 'west', project: less },
  ];
  expect(allowedOnAll(who('ada', 'shop-admins'), 'shop', targets, 'deploy')).toEqual({ role: 'edit' });
  expect(explain(allowedOnAll(who('ada', 'shop-admins'), 'shop', targets, 'approve'))).toMatch(
    /^.*Project shop on west: /,
  );
  const ben = who('ben', 'shop-developers');
  const nonMember = allowedOnAll(ben, 'shop', targets, 'deploy');
  expect(explain(nonMember)).toMatch(/targets: "west" has no project shop that you are a member of/);
  const missing = [
    { target: 'east', project: shop },
    { target: 'west', project: undefined },
  ];
  expect(allowedOnAll(ben, 'shop', missing, 'deploy')).toEqual(nonMember);
  expect(allowedOnAll(who('eve'), 'shop', targets, 'deploy')).toEqual({ hidden: true });
  expect(allowedOnAll(ben, 'shop', [], 'deploy')).toEqual({ hidden: true });
});

describe('any caller and any Project', () => {
  const names = ['a', 'b', 'c', 'ns/a', 'shop/b', 'x'];
  const anyMembers = fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom('Group' as const, 'User' as const, 'ServiceAccount' as const),
      name: fc.constantFrom(...names),
      role: fc.constantFrom('view' as const, 'edit' as const, 'admin' as const),
    }),
    { selector: ({ kind, name, role }) => `${kind} ${name} ${role}`, maxLength: 8 },
  );
  const anyCaller = fc
    .tuple(
      fc.constantFrom('a', 'b', 'x', 'system:serviceaccount:ns:a', 'system:serviceaccount:shop:b'),
      fc.subarray(names),
    )
    .map(([subject, groups]) => who(subject, ...groups));
  const anyAction = fc.constantFrom(...allActions);
  const anyStage = fc.constantFrom(undefined, 'test', 'prod', 'none');
  const anyProject = fc
    .tuple(anyMembers, fc.option(fc.subarray(names), { nil: undefined }), fc.subarray(names))
    .map(([some, deployers, breakGlass]) =>
      project(
        { members: some, stages: [{ name: 'test' }, { name: 'prod', publishers: [publisher], breakGlass }] },
        deployers,
      ),
    );

  test('the role is the one that the cluster binds', () => {
    fc.assert(
      fc.property(anyCaller, anyMembers, (caller, some) => {
        const made = project({ members: some });
        const bound = expandProject(made, { platform: parseManifest(defaultPlatform) })
          .filter(({ kind, metadata }) => kind === 'RoleBinding' && metadata.name.startsWith('members-'))
          .filter(({ subjects }) =>
            (subjects as { kind: string; name: string; namespace?: string }[]).some(({ kind, name, namespace }) =>
              kind === 'Group'
                ? caller.groups.includes(name)
                : caller.subject === (kind === 'User' ? name : `system:serviceaccount:${namespace}:${name}`),
            ),
          )
          .map(({ metadata }) => metadata.name.replace('members-', ''));
        const highest = ['admin', 'edit', 'view'].find((role) => bound.includes(role));
        expect(roleOf(caller, made)).toBe(highest);
      }),
    );
  });

  test('groups that the Project does not list grant nothing', () => {
    const others = fc.array(
      fc.constantFrom('unrelated', 'A', ' a', 'a ', 'ns', 'shop', 'admin', 'system:masters', '*', ''),
    );
    fc.assert(
      fc.property(anyCaller, anyProject, anyAction, anyStage, others, (caller, made, action, stage, more) => {
        const grown = { ...caller, groups: [...caller.groups, ...more] };
        expect(authorize(grown, made, action, stage)).toEqual(authorize(caller, made, action, stage));
      }),
    );
  });

  test('more groups never reduce permissions, and without a role there are none', () => {
    fc.assert(
      fc.property(
        anyCaller,
        anyProject,
        anyAction,
        anyStage,
        fc.subarray(names),
        (caller, made, action, stage, more) => {
          const verdict = authorize(caller, made, action, stage);
          const grown = authorize({ ...caller, groups: [...caller.groups, ...more] }, made, action, stage);
          if ('role' in verdict) expect(grown).toHaveProperty('role');
          if (roleOf(caller, made) === undefined) expect(verdict).toEqual({ hidden: true });
          else expect(verdict).not.toHaveProperty('hidden');
        },
      ),
    );
  });

  test('a permission on all clusters requires it on each', () => {
    fc.assert(
      fc.property(
        anyCaller,
        fc.array(anyProject, { minLength: 1, maxLength: 4 }),
        anyAction,
        anyStage,
        (caller, some, action, stage) => {
          const targets = some.map((made, nth) => ({ target: `c${nth}`, project: made }));
          const isOnAll = some.every((made) => 'role' in authorize(caller, made, action, stage));
          expect('role' in allowedOnAll(caller, 'shop', targets, action, stage)).toBe(isOnAll);
        },
      ),
    );
  });
});
