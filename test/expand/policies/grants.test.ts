import {
  formatPath,
  isError,
  projectRoles,
  safeParseManifest,
  workloadKinds,
  type Workload,
  type WorkloadKind,
} from '../../../lib/api';
import { defaultPlatform, expandProject, resolvePlatform, safeExpand } from '../../../lib/expand';
import { openTiers } from '../../../lib/expand/platform/tiers';
import { makeProjectContext, makeService, type ProjectContextOverrides } from '../../../lib/testing';

const key = 'eks.amazonaws.com/role-arn';
const account = 'arn:aws:iam::000000000000:role';
const problemsOf = (spec: object, overrides: ProjectContextOverrides = {}, context = makeProjectContext(overrides)) => {
  const { manifest } = safeParseManifest(makeService(spec));
  return safeExpand(manifest as Workload, context)
    .problems.filter(isError)
    .map(({ path, rule, reason, remedy }) => ({ path: formatPath(path), rule, text: `${reason}; ${remedy}` }));
};

test.each([
  'shop/reader',
  `${account}/shop/reader`,
  'cart-reader',
  `${account}/cart-reader`,
  'arn:aws:iam::999999999999:role/shared',
  'teams/commerce/writer',
])('a workload may use the role %s of its project', (iamRole) => {
  const iamRoles = ['cart-reader', 'arn:aws:iam::999999999999:role/shared', 'teams/commerce/*'];
  expect(problemsOf({ iamRole }, { project: { iamRoles } })).toEqual([]);
});

test.each([
  'reader',
  'shop-reader',
  'bank/reader',
  'shop/below/reader',
  '/shop/reader',
  'shop/',
  'shop/../bank/reader',
])('a workload may not use the role %s', (iamRole) => {
  expect(problemsOf({ iamRole })).toEqual([
    {
      path: 'spec.iamRole',
      rule: 'iam-role-owned',
      text: `is the role ${account}/${iamRole}, which does not belong to this project; use a role in the path /shop/, or ask the platform team to add it to spec.iamRoles of the Project`,
    },
  ]);
});

test('a role of an older Project is lost, and the others are kept', () => {
  const project = (name: string, iamRoles: readonly string[]) => ({
    apiVersion: 'pinterest.com/v1',
    kind: 'Project',
    metadata: { name },
    spec: { team: name, iamRoles },
  });
  const documents = [defaultPlatform, project('bank', ['reader']), project('shop', ['reader', 'writer'])].map(
    (document) => safeParseManifest(document).manifest,
  );
  const context = resolvePlatform(documents as Parameters<typeof resolvePlatform>[0]).project('shop');
  expect(problemsOf({ iamRole: 'reader' }, {}, context)).toMatchObject([{ rule: 'iam-role-owned' }]);
  expect(problemsOf({ iamRole: 'writer' }, {}, context)).toEqual([]);
});

test.each([
  ['spec.annotations', { annotations: { [key]: `${account}/bank/reader` } }, [`spec.annotations["${key}"]`]],
  ['no other role', { annotations: { [key]: `${account}/shop/reader` } }, []],
])('annotations of service accounts select roles of the project only: %s', (_, spec, paths) => {
  const found = problemsOf(spec);
  expect(found.map(({ rule }) => rule)).toEqual(paths.map(() => 'iam-role-annotation-owned'));
  expect(found.map(({ path }) => path)).toEqual(paths);
});

test('without a Project, roles and tiers are not checked', () => {
  expect(problemsOf({ iamRole: 'reader', tier: 'critical' }, {}, resolvePlatform([]).project('shop'))).toEqual([]);
});

test('a tier that preempts the default tier must be listed, and no other', () => {
  const tiers = [
    { name: 'first', priority: 9, preemption: true },
    { name: 'urgent', priority: 8, preemption: false },
    { name: 'usual', priority: 5, preemption: true },
    { name: 'late', priority: 1, preemption: true },
  ];
  const platform = { tiers, defaultTier: 'usual' };
  expect(openTiers(makeProjectContext({ platform }).platform)).toEqual(['urgent', 'usual', 'late']);
  for (const tier of ['urgent', 'usual', 'late']) expect(problemsOf({ tier }, { platform })).toEqual([]);
  expect(problemsOf({ tier: 'first' }, { platform, project: { tiers: ['first'] } })).toEqual([]);
  expect(problemsOf({ tier: 'first' }, { platform })).toEqual([
    {
      path: 'spec.tier',
      rule: 'tier-allowed',
      text: 'is a tier whose pods may preempt others, which this project may not take; use urgent, usual or late, or ask the platform team to add it to spec.tiers of the Project',
    },
  ]);
});

test('no workload has the name of an object of its project, nor of the service account of Kubernetes', () => {
  const members = projectRoles.map((role) => ({ name: role, role }));
  const { project, ...context } = makeProjectContext({ project: { members, exec: ['admin'] } });
  const names = expandProject(project, context)
    .filter(({ kind }) => kind !== 'Namespace')
    .map(({ metadata }) => metadata.name);
  for (const name of new Set([...names, 'default']))
    for (const kind of Object.keys(workloadKinds) as WorkloadKind[]) {
      const input = { apiVersion: 'pinterest.com/v1', kind, metadata: { name, namespace: 'shop' } };
      const { problems } = safeParseManifest({ ...input, spec: {} });
      expect([name, problems.filter(({ path }) => path[1] === 'name')]).toMatchObject([
        name,
        [{ code: 'platform-owned', value: name, remedy: 'use another name' }],
      ]);
    }
  expect(safeParseManifest(makeService({ name: 'deployer-2' })).problems).toEqual([]);
});
