import fc from 'fast-check';
import {
  apiVersion,
  parseManifest,
  explainProblem,
  projectRoles,
  type PlatformManifest,
  type SpecInput,
} from '../../../lib/api';
import { type Caller } from '../../../lib/contract';
import { expandProject, defaultPlatform } from '../../../lib/expand';
import {
  actions,
  authorize,
  authorizeOnAll,
  projectNotFound,
  roleOf,
  requireRole,
  type Action,
  type AuthorizationDecision,
} from '../../../lib/submission/authorization';

type Members = NonNullable<SpecInput<'Project'>['members']>;

const publisher = { issuer: 'https://ci.example.com', repository: 'commerce/shop', ref: 'refs/heads/main' };

function project(spec: Partial<SpecInput<'Project'>> = {}, deployers?: readonly string[]): PlatformManifest<'Project'> {
  const kind = 'Project' as const;
  const parsed = parseManifest({ apiVersion, kind, metadata: { name: 'shop' }, spec: { team: 'shop', ...spec } });
  if (!deployers) return parsed;
  const stages = parsed.spec.stages?.map((stage) => (stage.name === 'prod' ? { ...stage, deployers } : stage));
  return { ...parsed, spec: { ...parsed.spec, ...(stages && { stages }) } } as PlatformManifest<'Project'>;
}

const callerOf = (subject: string, ...groups: readonly string[]): Caller => ({
  subject,
  issuer: 'https://login.example.com',
  kind: subject.startsWith('system:serviceaccount:') ? 'ServiceAccount' : 'User',
  groups: [...groups],
});

const members: Members = [
  { name: 'shop-admins', role: 'admin' },
  { name: 'shop-developers', role: 'edit' },
  { name: 'shop-releasers', role: 'deploy' },
  { name: 'shop-operators', role: 'operate' },
  { name: 'shop-viewers', role: 'view' },
  { kind: 'User', name: 'oidc:ada', role: 'admin' },
  { kind: 'ServiceAccount', name: 'bot', role: 'edit' },
  { kind: 'ServiceAccount', name: 'ci/publisher', role: 'view' },
];
const shop = project({ members });
const allActions = Object.keys(actions) as Action[];
const explain = (decision: AuthorizationDecision): string =>
  'problems' in decision ? decision.problems.map(explainProblem).join('\n') : JSON.stringify(decision);

test.each<[string, Caller, string | undefined]>([
  ['a group', callerOf('ben', 'shop-developers'), 'edit'],
  ['the highest of several groups', callerOf('ben', 'shop-viewers', 'shop-admins', 'shop-developers'), 'admin'],
  [
    'both groups of roles that do not include each other',
    callerOf('ben', 'shop-operators', 'shop-releasers'),
    'deploy',
  ],
  ['a user', callerOf('oidc:ada'), 'admin'],
  ['a user of the same name without the prefix', callerOf('ada'), undefined],
  ['a service account of the project', callerOf('system:serviceaccount:shop:bot'), 'edit'],
  ['one with its name in another project', callerOf('system:serviceaccount:ci:bot'), undefined],
  ['a service account by its namespace', callerOf('system:serviceaccount:ci:publisher'), 'view'],
  [
    'a user with the name of a service account',
    { ...callerOf('system:serviceaccount:shop:bot'), kind: 'User' },
    undefined,
  ],
  ['a user with the name of a group', callerOf('shop-admins'), undefined],
  ['a group with the name of a user', callerOf('eve', 'oidc:ada'), undefined],
  ['a non-member', callerOf('eve', 'other-team', 'shop-admin', 'Shop-Admins'), undefined],
])('%s has the role of the member', (_, caller, role) => {
  expect(roleOf(caller, shop)).toBe(role);
});

test.each<[Action, string[]]>([
  ['read', ['view', 'deploy', 'operate', 'edit', 'admin']],
  ['deploy', ['deploy', 'edit', 'admin']],
  ['cancelOwn', ['deploy', 'edit', 'admin']],
  ['cancelOthers', ['admin']],
  ['approve', ['admin']],
])('permission to %s requires one of the roles %j', (action, roles) => {
  for (const [role, group] of [
    ['view', 'shop-viewers'],
    ['deploy', 'shop-releasers'],
    ['operate', 'shop-operators'],
    ['edit', 'shop-developers'],
    ['admin', 'shop-admins'],
  ] as const) {
    const decision = authorize(callerOf('ben', group), shop, action);
    if (roles.includes(role)) expect(decision).toEqual({ role });
    else
      expect(explain(decision)).toMatch(
        new RegExp(
          `spec.members: grant you the role ${role}, .*ask for the role ${roles.join(', ').replace(/, (\w+)$/, ' or $1')} in`,
        ),
      );
  }
});

test('a non-member gets the same response as for a missing project', () => {
  for (const action of allActions) {
    const decision = authorize(callerOf('eve', 'other-team'), shop, action, 'no-such-stage');
    expect(decision).toEqual({ hidden: true });
    expect(() => requireRole(decision, 'shop')).toThrow(projectNotFound('shop'));
  }
  expect(projectNotFound('shop')).toMatchObject({ status: 404 });
});

const staged = (deployers?: readonly string[]) =>
  project(
    {
      members,
      stages: [
        { name: 'test' },
        { name: 'prod', clusters: ['main'], publishers: [publisher], breakGlass: ['shop-oncall'] },
      ],
    },
    deployers,
  );

test('a stage that the Project does not list is rejected with the stages that it lists', () => {
  const decision = authorize(callerOf('ben', 'shop-developers'), staged(), 'deploy', 'prd');
  expect(explain(decision)).toMatch(/"prd" is not a stage of the Project; did you mean "prod"/);
  expect(authorize(callerOf('ben', 'shop-developers'), shop, 'deploy', 'any')).toEqual({ role: 'edit' });
});

test('a stage may restrict who deploys to it, including administrators, and nothing else', () => {
  const restricted = staged(['release-managers']);
  for (const group of ['shop-developers', 'shop-admins']) {
    const decision = authorize(callerOf('ben', group), restricted, 'deploy', 'prod');
    expect(explain(decision)).toMatch(/"prod" accepts deployments of certain groups only; ask .*: release-managers/);
    expect(() => requireRole(decision, 'shop')).toThrow(expect.objectContaining({ status: 403 }));
    expect(authorize(callerOf('ben', group), restricted, 'deploy', 'test')).toHaveProperty('role');
    expect(authorize(callerOf('ben', group, 'release-managers'), restricted, 'deploy', 'prod')).toHaveProperty('role');
  }
  expect(authorize(callerOf('ben', 'shop-viewers', 'release-managers'), restricted, 'deploy', 'prod')).toHaveProperty(
    'problems',
  );
  expect(authorize(callerOf('ben', 'release-managers'), restricted, 'deploy', 'prod')).toEqual({ hidden: true });
  expect(authorize(callerOf('ben', 'shop-admins'), restricted, 'approve', 'prod')).toEqual({ role: 'admin' });
  expect(authorize(callerOf('ben', 'shop-developers'), staged([]), 'deploy', 'prod')).toEqual({ role: 'edit' });
});

test('break-glass requires an authorized group and the deployer role', () => {
  const restricted = staged(['release-managers']);
  expect(authorize(callerOf('dora', 'shop-oncall', 'shop-developers'), restricted, 'breakGlass', 'prod')).toEqual({
    role: 'edit',
  });
  expect(
    explain(authorize(callerOf('ada', 'shop-admins', 'release-managers'), restricted, 'breakGlass', 'prod')),
  ).toMatch(/does not let your groups bypass its publishers; ask .*: shop-oncall/);
  expect(authorize(callerOf('dora', 'shop-oncall'), restricted, 'breakGlass', 'prod')).toEqual({ hidden: true });
  expect(authorize(callerOf('dora', 'shop-oncall', 'shop-viewers'), restricted, 'breakGlass', 'prod')).toHaveProperty(
    'problems',
  );
  // A stage without such groups has no break-glass.
  expect(explain(authorize(callerOf('ada', 'shop-admins'), restricted, 'breakGlass', 'test'))).toMatch(
    /artifact of its publishers/,
  );
  expect(authorize(callerOf('ada', 'shop-admins'), shop, 'breakGlass', 'any')).toHaveProperty('problems');
});

test('roles that do not include each other have in common what both include', () => {
  const targets = [
    { target: 'east', project: project({ members: [{ name: 'team', role: 'deploy' }] }) },
    { target: 'west', project: project({ members: [{ name: 'team', role: 'operate' }] }) },
  ];
  expect(authorizeOnAll(callerOf('ada', 'team'), 'shop', targets, 'read')).toEqual({ role: 'view' });
  expect(explain(authorizeOnAll(callerOf('ada', 'team'), 'shop', targets, 'deploy'))).toMatch(
    /Project shop on west: .* grant you the role operate/,
  );
});

test('with several clusters each is checked, and the lowest role applies', () => {
  const weaker = project({ members: [{ name: 'shop-admins', role: 'edit' }] });
  const targets = [
    { target: 'east', project: shop },
    { target: 'west', project: weaker },
  ];
  expect(authorizeOnAll(callerOf('ada', 'shop-admins'), 'shop', targets, 'deploy')).toEqual({ role: 'edit' });
  expect(explain(authorizeOnAll(callerOf('ada', 'shop-admins'), 'shop', targets, 'approve'))).toMatch(
    /^.*Project shop on west: /,
  );
  const ben = callerOf('ben', 'shop-developers');
  const nonMember = authorizeOnAll(ben, 'shop', targets, 'deploy');
  expect(explain(nonMember)).toMatch(/targets: "west" has no project shop that you are a member of/);
  const missing = [
    { target: 'east', project: shop },
    { target: 'west', project: undefined },
  ];
  expect(authorizeOnAll(ben, 'shop', missing, 'deploy')).toEqual(nonMember);
  expect(authorizeOnAll(callerOf('eve'), 'shop', targets, 'deploy')).toEqual({ hidden: true });
  expect(authorizeOnAll(ben, 'shop', [], 'deploy')).toEqual({ hidden: true });
});

describe('any caller and any Project', () => {
  const names = ['a', 'b', 'c', 'ns/a', 'shop/b', 'x'];
  const anyMembers = fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom('Group' as const, 'User' as const, 'ServiceAccount' as const),
      name: fc.constantFrom(...names),
      role: fc.constantFrom(...projectRoles),
    }),
    { selector: ({ kind, name, role }) => `${kind} ${name} ${role}`, maxLength: 8 },
  );
  const anyCaller = fc
    .tuple(
      fc.constantFrom('a', 'b', 'x', 'system:serviceaccount:ns:a', 'system:serviceaccount:shop:b'),
      fc.subarray(names),
    )
    .map(([subject, groups]) => callerOf(subject, ...groups));
  const anyAction = fc.constantFrom(...allActions);
  const anyStage = fc.constantFrom(undefined, 'test', 'prod', 'none');
  const anyProject = fc
    .tuple(anyMembers, fc.option(fc.subarray(names), { nil: undefined }), fc.subarray(names))
    .map(([anyMemberList, deployers, breakGlass]) =>
      project(
        {
          members: anyMemberList,
          stages: [{ name: 'test' }, { name: 'prod', clusters: ['main'], publishers: [publisher], breakGlass }],
        },
        deployers,
      ),
    );

  test('the role equals the one that the cluster binds', () => {
    fc.assert(
      fc.property(anyCaller, anyMembers, (caller, anyMemberList) => {
        const parsed = project({ members: anyMemberList });
        const bound = expandProject(parsed, { platform: parseManifest(defaultPlatform) })
          .filter(({ kind, metadata }) => kind === 'RoleBinding' && metadata.name.startsWith('members-'))
          .filter(({ subjects }) =>
            (subjects as { kind: string; name: string; namespace?: string }[]).some(({ kind, name, namespace }) =>
              kind === 'Group'
                ? caller.groups.includes(name)
                : caller.subject === (kind === 'User' ? name : `system:serviceaccount:${namespace}:${name}`),
            ),
          )
          .map(({ metadata }) => metadata.name.replace('members-', ''));
        const highest = ['admin', 'edit', 'deploy', 'operate', 'view'].find((role) => bound.includes(role));
        expect(roleOf(caller, parsed)).toBe(highest);
      }),
    );
  });

  test('groups that the Project does not list grant nothing', () => {
    const others = fc.array(
      fc.constantFrom('unrelated', 'A', ' a', 'a ', 'ns', 'shop', 'admin', 'system:masters', '*', ''),
    );
    fc.assert(
      fc.property(anyCaller, anyProject, anyAction, anyStage, others, (caller, parsed, action, stage, more) => {
        const extended = { ...caller, groups: [...caller.groups, ...more] };
        expect(authorize(extended, parsed, action, stage)).toEqual(authorize(caller, parsed, action, stage));
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
        (caller, parsed, action, stage, more) => {
          const decision = authorize(caller, parsed, action, stage);
          const extended = authorize({ ...caller, groups: [...caller.groups, ...more] }, parsed, action, stage);
          if ('role' in decision) expect(extended).toHaveProperty('role');
          if (roleOf(caller, parsed) === undefined) expect(decision).toEqual({ hidden: true });
          else expect(decision).not.toHaveProperty('hidden');
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
        (caller, anyMemberList, action, stage) => {
          const targets = anyMemberList.map((parsed, index) => ({ target: `c${index}`, project: parsed }));
          const isOnAll = anyMemberList.every((parsed) => 'role' in authorize(caller, parsed, action, stage));
          expect('role' in authorizeOnAll(caller, 'shop', targets, action, stage)).toBe(isOnAll);
        },
      ),
    );
  });
});
