import { type ManifestInput } from '../../../lib/api';
import { defaultPlatform, defaultProfile } from '../../../lib/expand';
import { type ApiResponse, expectStatus } from '../../control-plane/api-response';
import { type SendableObject } from '../../control-plane/client';
import { describePinion, smallTemplate, workloadOf } from '../pinion-suite';

type Stage = 'Off' | 'Observe' | 'Enforce';

const platformAt = (stage: Stage, force = false): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: {
    ...defaultPlatform.spec,
    gateway: {
      address: '10.96.0.20',
      certificateAuthority: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      stage,
      force,
    },
  },
});

interface GatewayState {
  readonly enforced: boolean;
  readonly directPods?: number;
  readonly pendingReason?: string;
}
interface PodItem {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec: unknown;
}

describePinion(
  'stages of the enforcement of the gateway',
  (pinion) => {
    const setStage = async (stage: Stage, force = false): Promise<void> => {
      expectStatus(await pinion().cluster.client.apply(platformAt(stage, force) as SendableObject), [200, 201]);
    };
    const untilState = (what: string, isReached: (state: GatewayState | undefined) => boolean): Promise<unknown> =>
      pinion().cluster.client.waitFor(
        what,
        async () => {
          const reference = { apiVersion: 'pinterest.com/v1', kind: 'Platform', metadata: { name: 'cluster' } };
          const { body } = await pinion().cluster.client.get(reference);
          return isReached((body as { status?: { gateway?: GatewayState } }).status?.gateway);
        },
        { timeout: 150_000 },
      );
    const pods = async (namespace: string): Promise<readonly PodItem[]> => {
      const response = await pinion().cluster.client.request('GET', `/api/v1/namespaces/${namespace}/pods`);
      return (expectStatus(response, [200]).body as { items: readonly PodItem[] }).items;
    };
    const tokenOfMember = (): Promise<ApiResponse> => {
      const { cluster } = pinion();
      const member = cluster.withToken(cluster.tokenOf('admin'), {
        user: 'ana',
        groups: [],
      });
      return member.request('POST', '/api/v1/namespaces/shop/serviceaccounts/watcher/token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      });
    };

    const authorityOf = (namespace: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'pinion-gateway-ca', namespace },
    });

    beforeAll(async () => {
      const { client } = pinion().cluster;
      await pinion().project('shop');
      await pinion().project('agents', { infrastructure: true });
      await pinion().project('bank', {
        podSecurity: 'baseline',
        members: [{ name: 'release', role: 'deploy' }],
        stages: [{ name: 'production', clusters: ['local'], deployers: ['release'] }],
      });
      // A project takes over a namespace in which someone has already stored an authority of their own, for good.
      const foreign = { 'ca.crt': 'foreign' };
      await client.ensureNamespace('mall');
      expectStatus(
        await client.create({ ...authorityOf('mall'), data: foreign, immutable: true } as SendableObject),
        [201],
      );
      await pinion().project('mall', { adopt: true });
      for (const namespace of ['shop', 'agents']) {
        const template = smallTemplate();
        await pinion().apply(
          workloadOf('PinterestService', namespace, 'watcher', { replicas: 2, apiAccess: true, template }),
        );
        await pinion().ready('PinterestService', namespace, 'watcher', 120_000);
      }
      const apiGroup = 'rbac.authorization.k8s.io';
      const rules = [{ apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] }];
      const role = { apiVersion: `${apiGroup}/v1`, kind: 'Role', metadata: { name: 'tokens', namespace: 'shop' } };
      const binding = {
        ...role,
        kind: 'RoleBinding',
        roleRef: { apiGroup, kind: 'Role', name: 'tokens' },
        subjects: [{ apiGroup, kind: 'User', name: 'ana' }],
      };
      expectStatus(await client.apply({ ...role, rules } as SendableObject), [201]);
      expectStatus(await client.apply(binding as SendableObject), [201]);
      await client.waitFor('the role to be read', async () => (await tokenOfMember()).status === 201);
    }, 300_000);

    test('the controller gives a protected project the authority of the gateway, without which its pods do not start', async () => {
      const { client } = pinion().cluster;
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bank' } };
      const { body } = await client.get(namespace);
      expect(body).toMatchObject({ metadata: { labels: { 'pinterest.com/protected': 'true' } } });
      await client.waitFor('the authority in bank', async () => (await client.get(authorityOf('bank'))).status === 200);
    });

    test('the controller replaces an authority that another client had stored', async () => {
      const { client } = pinion().cluster;
      await client.waitFor('the authority in mall', async () => {
        const { body } = await client.get(authorityOf('mall'));
        return (body as { data?: Record<string, string> }).data?.['ca.crt']?.startsWith('-----BEGIN') === true;
      });
    });

    test('only the controller writes an authority into a project, whatever permissions others have', async () => {
      const { cluster } = pinion();
      const { client } = cluster;
      const apiGroup = 'rbac.authorization.k8s.io';
      const roleRef = { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' };
      const binding = { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'olga' }, roleRef };
      const subjects = [{ apiGroup, kind: 'User', name: 'olga' }];
      expectStatus(await client.apply({ ...binding, subjects } as SendableObject), [200, 201]);
      const member = cluster.withToken(cluster.tokenOf('admin'), { user: 'olga', groups: [] });
      const path = '/api/v1/namespaces/bank/configmaps';
      await client.waitFor('the binding', async () => (await member.request('GET', path)).status === 200);
      const authority = { ...authorityOf('bank'), data: { 'ca.crt': 'foreign' } } as SendableObject;
      const refused = {
        status: 403,
        body: { message: expect.stringContaining("which only pinion's controller writes") },
      };
      // Unlabeled, as before its creation by the controller; then a change, and a deletion, by itself or with all others.
      expect(await member.request('POST', path, authority)).toMatchObject(refused);
      // Two policies refuse these; the API server names either.
      const refusedByEither = {
        ...refused,
        body: { message: expect.stringMatching(/which only pinion's controller writes|may not change configmaps/) },
      };
      expect(await member.apply(authority)).toMatchObject(refusedByEither);
      expect(await member.request('DELETE', `${path}/pinion-gateway-ca`)).toMatchObject(refusedByEither);
      expect(await member.request('DELETE', path)).toMatchObject({ status: 403 });
      expect((await client.get(authorityOf('bank'))).body).toMatchObject({
        data: { 'ca.crt': expect.stringMatching(/^-----BEGIN/) },
      });
      // Names of others are theirs.
      const own = { ...authority, metadata: { name: 'own', namespace: 'bank' } };
      expect((await member.request('POST', path, own)).status).toBe(201);
    });

    test('Enforce waits for pods that are older than the policy, and names them; none restarts by itself', async () => {
      const before = await pods('shop');
      await setStage('Enforce');
      await untilState('the pods to be counted', (state) => state?.directPods === 2);
      await untilState('the pods to be named', (state) =>
        before.every(({ metadata: { name } }) => state?.pendingReason?.includes(`shop/${name}`) === true),
      );
      await untilState('nothing to be enforced', (state) => state?.enforced === false);
      expect((await pods('shop')).map(({ metadata }) => metadata.uid)).toEqual(
        before.map(({ metadata }) => metadata.uid),
      );
      expect((await tokenOfMember()).status).toBe(201);
    }, 200_000);

    test('Enforce begins once they are replaced; their successors use the gateway', async () => {
      const { client } = pinion().cluster;
      const before = await pods('shop');
      for (const { metadata } of before)
        await client.delete({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, namespace: 'shop' } });
      await untilState('the gateway to be enforced', (state) => state?.enforced === true);
      const after = await pods('shop');
      expect(after).toHaveLength(2);
      for (const { spec } of after) expect(JSON.stringify(spec)).toContain('"audience":"pinion-gateway"');
      for (const { spec } of await pods('agents')) expect(JSON.stringify(spec)).not.toContain('pinion-gateway');
      await client.waitFor('tokens to be refused', async () => (await tokenOfMember()).status === 403);
      await pinion().ready('PinterestService', 'shop', 'watcher', 120_000);
    }, 300_000);

    test('Off ends it, and force does not wait', async () => {
      const { client } = pinion().cluster;
      await setStage('Off');
      await untilState('the state to be removed', (state) => state === undefined);
      await client.waitFor('tokens to be issued', async () => (await tokenOfMember()).status === 201);
      const [pod] = await pods('shop');
      expect(pod).toBeDefined();
      const metadata = { name: pod?.metadata.name ?? '', namespace: 'shop' };
      await client.delete({ apiVersion: 'v1', kind: 'Pod', metadata });
      await client.waitFor('a pod with a direct token', async () => {
        const found = (await pods('shop')).filter(({ spec }) => !JSON.stringify(spec).includes('pinion-gateway'));
        return found.length === 1;
      });
      await setStage('Enforce', true);
      await untilState('it to be forced', (state) => state?.enforced === true && state.directPods === 1);
    }, 300_000);
  },
  { documents: [defaultProfile, platformAt('Off')], twoControllers: true },
);
