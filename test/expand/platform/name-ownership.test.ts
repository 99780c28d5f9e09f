import * as fc from 'fast-check';
import { apiVersion, evaluateCel, explainProblem, parseManifest, safeParseManifest } from '../../../lib/api';
import { defaultPlatform, resolvePlatform } from '../../../lib/expand';
import { isOwnHost } from '../../../lib/expand/policies/ingress-rules';
import { hostForm, ownsHost } from '../../../lib/expand/platform/host-names';
import { isOwnRole, roleForm } from '../../../lib/expand/platform/iam-roles';
import {
  NameOwnership,
  ownsName,
  type NameClaim,
  type OwnedNameForm,
} from '../../../lib/expand/platform/name-ownership';

const labels = ['a', 'b', 'xn--bcher-kva'];
const parts = fc.array(fc.constantFrom(...labels), { minLength: 1, maxLength: 3 });
const account = 'arn:aws:iam::123456789012:role';

/** A sort of names: its own names and patterns, and how both are written. */
interface Sort {
  readonly form: OwnedNameForm;
  readonly isOwn: (name: string) => string;
  readonly nameOf: (path: readonly string[]) => string;
  /** Pattern over the names that are one part longer. */
  readonly patternOver: (path: readonly string[]) => string;
  readonly oddNames: readonly string[];
}
const sorts: Readonly<Record<string, Sort>> = {
  hosts: {
    form: hostForm,
    isOwn: isOwnHost,
    nameOf: (path) => [...path, 'test'].join('.'),
    patternOver: (path) => `*.${[...path, 'test'].join('.')}`,
    oddNames: ['', '.', '*', '*.', '.a.test', 'test', '!a.test'],
  },
  'IAM roles': {
    form: roleForm,
    isOwn: isOwnRole,
    nameOf: (path) => [account, ...path].join('/'),
    patternOver: (path) => [account, ...path, '*'].join('/'),
    oddNames: ['', '/', '*', 'a', `${account}/`, `${account}//a`, `!${account}/a`, `${account}/a,b`, `${account}/*/a`],
  },
};

describe.each(Object.entries(sorts))('%s', (_, { form, isOwn, nameOf, patternOver, oddNames }) => {
  const name = parts.map(nameOf);
  const pattern = fc.oneof(name, parts.map(patternOver));
  const claim = (project: string): fc.Arbitrary<NameClaim> =>
    fc.record({
      project: fc.constant(project),
      names: fc.uniqueArray(pattern, { maxLength: 6 }),
      created: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
      uid: fc.constant(`uid-${project}`),
    });
  const claims = fc.tuple(claim('shop'), claim('bank'), claim('news'));
  const paths = labels.flatMap((one) => [
    [one],
    ...labels.flatMap((other) => [[one, other], ...labels.map((third) => [one, other, third])]),
  ]);
  /** Names and patterns that a workload could have. */
  const candidates = [...paths.map(nameOf), ...paths.map(patternOver)];
  const names = candidates.filter((one) => !form.isPattern(one));

  /** Returns the oldest claimant of a name, by the definition. */
  function ownerByDefinition(all: readonly NameClaim[], wanted: string): string | undefined {
    const covering = ['', ...paths.map(patternOver)].filter((one) => one === form.patternOf(wanted));
    const covers = (own: string) => own === wanted || covering.includes(own);
    const age = ({ created, uid }: NameClaim) => `${created} ${uid}`;
    return all.filter((one) => one.names.some(covers)).sort((a, b) => (age(a) < age(b) ? -1 : 1))[0]?.project;
  }

  test('every name belongs to exactly the oldest Project that claims it', () => {
    fc.assert(
      fc.property(claims, (all) => {
        const ownership = new NameOwnership(form, all);
        for (const wanted of names) {
          const owners = all.filter(({ project }) => ownsName(ownership.of(project).names, wanted, form));
          expect([wanted, owners.map(({ project }) => project)]).toEqual([
            wanted,
            [ownerByDefinition(all, wanted)].filter((owner) => owner !== undefined),
          ]);
        }
      }),
    );
  });

  test('a pattern belongs to a Project only if every name below it does', () => {
    fc.assert(
      fc.property(claims, (all) => {
        const ownership = new NameOwnership(form, all);
        for (const { project } of all) {
          const owned = ownership.of(project).names;
          for (const wildcard of candidates.filter((one) => form.isPattern(one) && ownsName(owned, one, form)))
            expect(names.filter((one) => form.patternOf(one) === wildcard && !ownsName(owned, one, form))).toEqual([]);
        }
      }),
    );
  });

  test('a name that is lost is a conflict with its owner, and all other claims are granted', () => {
    fc.assert(
      fc.property(claims, (all) => {
        const ownership = new NameOwnership(form, all);
        for (const { project, names: claimed } of all) {
          const { names: owned, conflicts } = ownership.of(project);
          for (const { name: lost, owner } of conflicts) {
            expect(owner).not.toBe(project);
            expect(ownsName(owned, lost, form)).toBe(false);
          }
          const lost = new Set(conflicts.map((conflict) => conflict.name));
          expect(claimed.filter((one) => !lost.has(one) && !owned.includes(one))).toEqual([]);
        }
      }),
    );
  });

  test('changes one at a time lead to the same owners, and name every other Project that they change', () => {
    const steps = fc.array(
      fc.oneof(claim('shop'), claim('bank'), claim('news'), fc.constantFrom('shop', 'bank', 'news')),
    );
    fc.assert(
      fc.property(steps, (changes) => {
        const ownership = new NameOwnership(form);
        const current = new Map<string, NameClaim>();
        for (const change of changes) {
          const before = new Map([...current.keys()].map((project) => [project, ownership.of(project)]));
          const project = typeof change === 'string' ? change : change.project;
          const affected = typeof change === 'string' ? ownership.delete(change) : ownership.set(change);
          if (typeof change === 'string') current.delete(change);
          else current.set(project, change);
          const fresh = new NameOwnership(form, [...current.values()]);
          for (const other of current.keys()) {
            expect(ownership.of(other)).toEqual(fresh.of(other));
            if (other === project || affected.includes(other)) continue;
            expect(ownership.of(other)).toEqual(before.get(other));
          }
        }
      }),
    );
  });

  test('the expression of the API server and the function agree', () => {
    const own = fc.array(
      fc.oneof(
        pattern,
        name.map((one) => `!${one}`),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(own, fc.oneof(name, parts.map(patternOver), fc.constantFrom(...oddNames)), (owned, wanted) => {
        const variables = { hosts: owned, iamRoles: owned };
        expect(evaluateCel(isOwn('self'), { self: wanted, variables })).toBe(ownsName(owned, wanted, form));
      }),
    );
  });
});

/** Spellings of a name that clients treat as the name itself. */
const spellings = (host: string): readonly string[] => [
  host.toUpperCase(),
  `${host[0]?.toUpperCase()}${host.slice(1)}`,
  `${host}.`,
  ` ${host}`,
  `${host}:443`,
  host.replace('a', '\u0430'),
  host.replace('a', '\uff41'),
  host.replace('.', '\u3002'),
];

test.each(['deploy.apps.example.com', '*.bank.apps.example.com'])(
  'no other spelling of %s is a host name of a Project or of its workloads',
  (host) => {
    for (const spelling of spellings(host)) {
      if (spelling === host) continue;
      const project = {
        apiVersion,
        kind: 'Project',
        metadata: { name: 'shop' },
        spec: { team: 'shop', hosts: [spelling] },
      };
      expect([spelling, safeParseManifest(project).problems.map(({ path }) => path)]).toEqual([
        spelling,
        [['spec', 'hosts', 0]],
      ]);
      expect([spelling, ownsHost([host], spelling)]).toEqual([spelling, false]);
    }
  },
);

test('of Projects in one set of manifests, one has a name and the others report the conflict', () => {
  const project = (name: string, spec: object) =>
    parseManifest({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: name, ...spec } });
  const cluster = resolvePlatform([
    parseManifest(defaultPlatform),
    project('bank', { hosts: ['www.example.com'], iamRoles: ['reader'] }),
    project('shop', {
      hosts: ['www.example.com', 'login.bank.apps.example.com', 'shop.example.com'],
      iamRoles: ['arn:aws:iam::000000000000:role/reader', 'bank/*', 'writer'],
    }),
  ]);
  const role = 'arn:aws:iam::000000000000:role';
  expect(cluster.project('bank')).toMatchObject({
    hosts: ['*.bank.apps.example.com', 'www.example.com'],
    iamRoles: [`${role}/bank/*`, `${role}/reader`],
  });
  expect(cluster.project('shop')).toMatchObject({
    hosts: ['*.shop.apps.example.com', 'shop.example.com'],
    iamRoles: [`${role}/shop/*`, `${role}/writer`],
  });
  expect(cluster.nameConflicts.map((problem) => explainProblem(problem))).toEqual([
    'error duplicate: Project shop: spec.hosts[0]: "www.example.com" is a host name of Project bank; use another name, or remove it from spec.hosts of Project bank',
    'error duplicate: Project shop: spec.hosts[1]: "login.bank.apps.example.com" always belongs to Project bank, as a generated host name; use another name',
    `error duplicate: Project shop: spec.iamRoles[0]: "${role}/reader" is an IAM role of Project bank; use another name, or remove it from spec.iamRoles of Project bank`,
    `error duplicate: Project shop: spec.iamRoles[1]: "${role}/bank/*" always belongs to Project bank, as a generated IAM role; use another name`,
  ]);
});

test('a generated name that an older Project lists is reported without an entry, and one of a pattern at the pattern', () => {
  const project = (name: string, hosts: readonly string[]) =>
    parseManifest({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: name, hosts } });
  const cluster = resolvePlatform([
    parseManifest(defaultPlatform),
    project('bank', ['a.shop.apps.example.com', 'a.cdn.example.com']),
    project('shop', ['www.example.com', '*.cdn.example.com']),
  ]);
  expect(cluster.nameConflicts.map(({ path, value, remedy }) => [path.join('.'), value, remedy])).toEqual([
    ['spec.hosts', 'a.shop.apps.example.com', 'use another name, or remove it from spec.hosts of Project bank'],
    ['spec.hosts.1', 'a.cdn.example.com', 'use another name, or remove it from spec.hosts of Project bank'],
  ]);
});
