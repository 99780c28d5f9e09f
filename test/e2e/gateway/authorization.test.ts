import { connect, type KubeClient, loadKubeConfig } from '../../../lib/kube';
import { RbacMirror } from '../../../lib/gateway/authorization/rbac-mirror';
import { type Attributes } from '../../../lib/gateway/authorization/rbac-rules';
import { expectStatus } from '../../control-plane/api-response';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { ManualClock } from '../../kube/manual-clock';
import { realClock } from '../../kube/real-clock';
import { FaultProxy } from '../chaos/fault-proxy';
import { SeededRandom } from '../chaos/seeded-random';
import { authorityFile } from './test-gateway';

const isFull = process.env['PINION_E2E'] === 'full';
const rounds = isFull ? 50 : 5;
const requestsPerRound = 100;
const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;
const namespaces = ['team-a', 'team-b'];
const users = ['ann', 'system:serviceaccount:team-a:bot', 'system:serviceaccount:team-b:bot', 'system:anonymous'];
const groups = [
  'dev',
  'system:serviceaccounts',
  'system:serviceaccounts:team-a',
  'system:masters',
  'system:authenticated',
];

const someOf = <T>(random: SeededRandom, values: readonly T[]): T[] => values.filter(() => random.is(1 / 3));
const atLeastOneOf = <T>(random: SeededRandom, values: readonly T[]): T[] => {
  const chosen = someOf(random, values);
  return chosen.length === 0 ? [random.of(values)] : chosen;
};

const randomRule = (random: SeededRandom): object => ({
  apiGroups: atLeastOneOf(random, ['', 'apps', 'pinterest.com', '*']),
  resources: atLeastOneOf(random, ['pods', 'pods/log', 'pods/*', '*/log', 'deployments', '*']),
  verbs: atLeastOneOf(random, ['get', 'list', 'watch', 'delete', '*']),
  ...(random.is(1 / 4) && { resourceNames: atLeastOneOf(random, ['one', 'two']) }),
});

const randomSubject = (random: SeededRandom): object =>
  random.of([
    ...users.map((name) => ({ kind: 'User', apiGroup, name })),
    ...groups.map((name) => ({ kind: 'Group', apiGroup, name })),
    { kind: 'ServiceAccount', name: 'bot', namespace: 'team-a' },
    { kind: 'ServiceAccount', name: 'bot', namespace: 'team-b' },
  ]);

/** Returns roles and bindings of both scopes, some of which lead nowhere. */
function randomRoles(
  random: SeededRandom,
): { readonly apiVersion: string; readonly kind: string; readonly metadata: object }[] {
  const roles = [];
  for (let index = 0; index < 4; index++) {
    const rules = random.is(1 / 8) ? [] : [randomRule(random), ...(random.is(1 / 2) ? [randomRule(random)] : [])];
    const name = `random-${index}`;
    const namespace = random.of(namespaces);
    roles.push({ apiVersion, kind: 'ClusterRole', metadata: { name }, rules });
    roles.push({ apiVersion, kind: 'Role', metadata: { name, namespace }, rules: [randomRule(random)] });
    const ref = (kind: string): object => ({ apiGroup, kind, name: `random-${random.integer(0, 4)}` });
    const subjects = (): object[] => [randomSubject(random), randomSubject(random)];
    const bound = `${name}-${random.integer(0, 999_999)}`;
    if (random.is(1 / 2))
      roles.push({
        apiVersion,
        kind: 'ClusterRoleBinding',
        metadata: { name: bound },
        roleRef: ref('ClusterRole'),
        subjects: subjects(),
      });
    const metadata = { name: bound, namespace };
    const roleRef = ref(random.of(['Role', 'ClusterRole']));
    roles.push({ apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects: subjects() });
  }
  return roles;
}

interface Asked {
  readonly username: string;
  readonly groups: readonly string[];
  readonly attributes: Attributes;
}

function randomRequest(random: SeededRandom): Asked {
  const resource = random.of(['pods', 'deployments', 'pinterestservices', 'nodes']);
  const subresource = resource === 'pods' && random.is(1 / 4) ? random.of(['log', 'exec']) : undefined;
  const attributes = {
    verb: random.of(['get', 'list', 'watch', 'delete']),
    group: random.of(['', 'apps', 'pinterest.com']),
    resource,
    ...(subresource !== undefined && { subresource }),
    ...(random.is(1 / 3) ? {} : { namespace: random.of([...namespaces, 'team-c']) }),
    ...(random.is(1 / 2) && { name: random.of(['one', 'two', 'three']) }),
  };
  return {
    username: random.of(users),
    groups: someOf(
      random,
      groups.filter((group) => group !== 'system:masters' || random.is(1 / 10)),
    ),
    attributes,
  };
}

describeControlPlane('authorization of the gateway', (controlPlane) => {
  let client: KubeClient;
  let mirror: RbacMirror;
  const errors: unknown[] = [];

  beforeAll(async () => {
    client = connect(loadKubeConfig({ file: controlPlane().kubeconfig, environment: {} }), {
      clock: realClock,
      userAgent: 'pinion-gateway',
      rate: { qps: 10_000, burst: 10_000 },
    });
    for (const namespace of namespaces) await controlPlane().client.ensureNamespace(namespace);
    mirror = new RbacMirror({ client, clock: realClock, onError: (error) => errors.push(error) });
    await mirror.start();
  }, 60_000);
  afterAll(async () => {
    await mirror.stop();
    client.close();
  });

  const verdictOf = async ({ username, groups: memberships, attributes }: Asked): Promise<boolean> => {
    const { group, verb, resource, subresource, namespace, name } = attributes;
    const resourceAttributes = { group, verb, resource, subresource, namespace, name, version: 'v1' };
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: username, groups: memberships, resourceAttributes },
    };
    const review = await client.request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', body);
    return (review as { readonly status: { readonly allowed: boolean } }).status.allowed;
  };
  /** Resolves when mirror and server agree about a marker, which the roles of a round end with. */
  const settle = async (round: number): Promise<void> => {
    const name = `marker-${round}`;
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: [name] }];
    const subjects = [{ kind: 'User', apiGroup, name: 'marker' }];
    const roleRef = { apiGroup, kind: 'ClusterRole', name };
    const asked = { username: 'marker', groups: [], attributes: { verb: 'get', group: '', resource: 'pods', name } };
    for (const object of [
      { apiVersion, kind: 'ClusterRole', metadata: { name }, rules },
      { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects },
    ])
      expectStatus(await controlPlane().client.apply(object), [200, 201]);
    await waitFor(
      'the roles to act at both',
      async () => mirror.current.allows('marker', [], asked.attributes) && (await verdictOf(asked)),
    );
  };

  test(
    `${rounds * requestsPerRound} random requests have the verdict of the API server`,
    async () => {
      const random = new SeededRandom(1).fork('roles');
      const differences: unknown[] = [];
      let allowed = 0;
      for (let round = 0; round < rounds; round++) {
        for (const object of randomRoles(random)) expectStatus(await controlPlane().client.apply(object), [200, 201]);
        await settle(round);
        for (let index = 0; index < requestsPerRound; index++) {
          const asked = randomRequest(random);
          const theirs = await verdictOf(asked);
          const ours = mirror.current.allows(asked.username, asked.groups, asked.attributes);
          allowed += Number(theirs);
          if (ours !== theirs) differences.push({ asked, ours, theirs });
        }
      }
      expect(differences.slice(0, 3)).toEqual([]);
      // Neither side of the question is rare.
      expect(allowed / (rounds * requestsPerRound)).toBeGreaterThan(0.2);
      expect(allowed / (rounds * requestsPerRound)).toBeLessThan(0.8);
      expect(errors).toEqual([]);
    },
    isFull ? 600_000 : 120_000,
  );

  test('roles behind a connection that hangs are used for 90 seconds, and then lack no revocation', async () => {
    const clock = new ManualClock();
    const { url } = controlPlane();
    const random = new SeededRandom(1).fork('silence');
    const proxy = await FaultProxy.open({ url, authorityFile: authorityFile(controlPlane()), name: 'mirror', random });
    const credential = (): Promise<{ token: string }> => Promise.resolve({ token: controlPlane().tokenOf('admin') });
    const behind = connect({ server: proxy.url, namespace: 'default', credential }, { clock, userAgent: 'mirror' });
    const silent = new RbacMirror({ client: behind, clock, onError: () => undefined });
    try {
      const starting = silent.start();
      await waitFor('the mirror', async () => {
        await clock.advance(100);
        return silent.isRecent();
      });
      await starting;
      const startedAt = clock.now();
      /** Advances the clock until so many seconds after the start, slowly enough for answers to arrive. */
      const passUntil = async (seconds: number): Promise<void> => {
        while (clock.now() < startedAt + seconds * 1_000) {
          await clock.advance(500);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      };
      const name = 'revoked';
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
      const roleRef = { apiGroup, kind: 'ClusterRole', name };
      const subjects = [{ kind: 'User', apiGroup, name: 'rita' }];
      for (const object of [
        { apiVersion, kind: 'ClusterRole', metadata: { name }, rules },
        { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects },
      ])
        expectStatus(await controlPlane().client.apply(object), [200, 201]);
      const isAllowed = (): boolean => silent.current.allows('rita', [], { verb: 'list', group: '', resource: 'pods' });
      await waitFor('the role to act', async () => {
        await clock.advance(100);
        return isAllowed();
      });
      proxy.network = 'silent';
      const path = `/apis/${apiVersion}/clusterrolebindings/${name}`;
      expectStatus(await controlPlane().client.request('DELETE', path), [200]);
      await passUntil(80);
      expect([isAllowed(), silent.isRecent()]).toEqual([true, true]);
      await passUntil(120);
      expect(silent.isRecent()).toBe(false);
      proxy.network = 'clear';
      await waitFor('the mirror to be recent', async () => {
        await clock.advance(1_000);
        return silent.isRecent();
      });
      expect(isAllowed()).toBe(false);
    } finally {
      await silent.stop();
      behind.close();
      await proxy.close();
    }
  }, 60_000);
});
