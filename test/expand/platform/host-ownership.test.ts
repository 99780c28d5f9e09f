import * as fc from 'fast-check';
import { apiVersion, evaluateCel, parseManifest, safeParseManifest } from '../../../lib/api';
import { defaultPlatform, HostOwnership, resolvePlatform, type HostClaim } from '../../../lib/expand';
import { isOwnHost } from '../../../lib/expand/policies/ingress-rules';
import { ownsHost } from '../../../lib/expand/platform/host-ownership';

const labels = ['a', 'b', 'xn--bcher-kva'];
const label = fc.constantFrom(...labels);
const name = fc.array(label, { minLength: 1, maxLength: 3 }).map((parts) => [...parts, 'test'].join('.'));
const pattern = fc.oneof(
  name,
  name.map((host) => `*.${host}`),
);
const claim = (project: string): fc.Arbitrary<HostClaim> =>
  fc.record({
    project: fc.constant(project),
    patterns: fc.uniqueArray(pattern, { maxLength: 6 }),
    created: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
    uid: fc.constant(`uid-${project}`),
  });
const claims = fc.tuple(claim('shop'), claim('bank'), claim('news'));
/** Names and patterns that an Ingress could have. */
const candidates = labels.flatMap((one) => [
  `${one}.test`,
  `*.${one}.test`,
  ...labels.flatMap((other) => [
    `${one}.${other}.test`,
    `*.${one}.${other}.test`,
    ...labels.map((third) => `${one}.${other}.${third}.test`),
  ]),
]);

/** Returns the oldest claimant of a name, by the definition. */
function ownerByDefinition(all: readonly HostClaim[], host: string): string | undefined {
  const covers = (own: string) =>
    own === host || (own.startsWith('*.') && own.slice(1) === host.slice(host.indexOf('.')));
  const age = ({ created, uid }: HostClaim) => `${created} ${uid}`;
  return all.filter(({ patterns }) => patterns.some(covers)).sort((a, b) => (age(a) < age(b) ? -1 : 1))[0]?.project;
}

test('every name belongs to exactly the oldest Project that claims it', () => {
  fc.assert(
    fc.property(claims, (all) => {
      const ownership = new HostOwnership(all);
      for (const host of candidates.filter((one) => !one.startsWith('*'))) {
        const owners = all.filter(({ project }) => ownsHost(ownership.of(project).hosts, host));
        expect([host, owners.map(({ project }) => project)]).toEqual([
          host,
          [ownerByDefinition(all, host)].filter((owner) => owner !== undefined),
        ]);
      }
    }),
  );
});

test('a pattern belongs to a Project only if every name below it does', () => {
  fc.assert(
    fc.property(claims, (all) => {
      const ownership = new HostOwnership(all);
      const below = (wildcard: string) => [...labels, 'other'].map((one) => `${one}${wildcard.slice(1)}`);
      for (const { project } of all) {
        const { hosts } = ownership.of(project);
        for (const wildcard of candidates.filter((one) => one.startsWith('*') && ownsHost(hosts, one)))
          expect(below(wildcard).filter((host) => !ownsHost(hosts, host))).toEqual([]);
      }
    }),
  );
});

test('a name that is lost is a conflict with its owner, and all other claims are granted', () => {
  fc.assert(
    fc.property(claims, (all) => {
      const ownership = new HostOwnership(all);
      for (const { project, patterns } of all) {
        const { hosts, conflicts } = ownership.of(project);
        for (const { host, owner } of conflicts) {
          expect(owner).not.toBe(project);
          expect(ownsHost(hosts, host)).toBe(false);
        }
        const lost = new Set(conflicts.map(({ host }) => host));
        expect(patterns.filter((one) => !lost.has(one) && !hosts.includes(one))).toEqual([]);
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
      const ownership = new HostOwnership();
      const current = new Map<string, HostClaim>();
      for (const change of changes) {
        const before = new Map([...current.keys()].map((project) => [project, ownership.of(project)]));
        const project = typeof change === 'string' ? change : change.project;
        const affected = typeof change === 'string' ? ownership.delete(change) : ownership.set(change);
        if (typeof change === 'string') current.delete(change);
        else current.set(project, change);
        const fresh = new HostOwnership([...current.values()]);
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
  const hosts = fc.array(
    fc.oneof(
      pattern,
      name.map((host) => `!${host}`),
    ),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(
      hosts,
      fc.oneof(pattern, fc.constantFrom('', '.', '*', '*.', '.a.test', 'test', '!a.test')),
      (own, host) => {
        expect(evaluateCel(isOwnHost('self'), { self: host, variables: { hosts: own } })).toBe(ownsHost(own, host));
      },
    ),
  );
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
  const project = (projectName: string, hosts: readonly string[]) =>
    parseManifest({ apiVersion, kind: 'Project', metadata: { name: projectName }, spec: { team: projectName, hosts } });
  const cluster = resolvePlatform([
    parseManifest(defaultPlatform),
    project('bank', ['www.example.com']),
    project('shop', ['www.example.com', 'login.bank.apps.example.com', 'shop.example.com']),
  ]);
  expect(cluster.project('bank').hosts).toEqual(['*.bank.apps.example.com', 'www.example.com']);
  expect(cluster.project('shop').hosts).toEqual(['*.shop.apps.example.com', 'shop.example.com']);
  expect(cluster.hostConflicts).toMatchObject([
    {
      object: 'Project shop',
      path: ['spec', 'hosts'],
      value: 'www.example.com',
      reason: 'is a host name of Project bank',
    },
    { object: 'Project shop', path: ['spec', 'hosts'], value: 'login.bank.apps.example.com' },
  ]);
});
