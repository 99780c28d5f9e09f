import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayPermissions } from '../../../lib/expand';
import { loadKubeConfig } from '../../../lib/kube';
import { expectStatus } from '../../control-plane/api-response';
import { Connection } from '../../control-plane/connection';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { TestAuthority } from '../../kube/certificates';
import { LocalIssuer } from '../../local/issuer/local-issuer';
import { createSigningKey } from '../../local/issuer/signing-keys';
import { allowReads, audience, gatewayToken, TestGateway } from './test-gateway';
import { WatchRecorder } from './watch-recorder';

const authority = new TestAuthority();
const folder = mkdtempSync(join(tmpdir(), 'pinion-gateway-users-'));
const apiServerFlags: string[] = [];
/** Issuer of people, whose names have a prefix, and one whose administrators let users choose their groups. */
let people: LocalIssuer;
let careless: LocalIssuer;
const clientId = 'kubernetes';
const ada = { sub: 'ada', groups: ['developers'] };
const pods = '/api/v1/namespaces/default/pods';

beforeAll(async () => {
  const { certificate: cert, key } = authority.certify('localhost');
  people = await LocalIssuer.start({ tls: { cert, key } });
  careless = await LocalIssuer.start({ tls: { cert, key } });
  // As long as the API server and the gateway start.
  people.isUnreachable = true;
  const jwt = [people, careless].map(({ url }, index) => ({
    issuer: { url, certificateAuthority: authority.certificate, audiences: [clientId] },
    claimMappings: {
      username: { claim: 'sub', prefix: index === 0 ? 'oidc:' : '' },
      groups: { claim: 'groups', prefix: index === 0 ? 'oidc:' : '' },
    },
  }));
  const file = join(folder, 'authentication.json');
  const apiVersion = 'apiserver.config.k8s.io/v1';
  writeFileSync(file, JSON.stringify({ apiVersion, kind: 'AuthenticationConfiguration', jwt }));
  apiServerFlags.push(`--authentication-config=${file}`);
});
afterAll(async () => {
  for (const issuer of [people, careless]) await issuer.stop();
  rmSync(folder, { recursive: true });
});

const tokenOf = (claims: object, terms: Partial<Parameters<LocalIssuer['createToken']>[1]> = {}): Promise<string> =>
  people.createToken({ ...claims }, { audience: clientId, ...terms });
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describeControlPlane(
  'users of the gateway',
  (controlPlane) => {
    let gateway: TestGateway;

    const bind = async (name: string, subjects: readonly object[], rules: readonly object[]): Promise<void> => {
      const [apiVersion, apiGroup] = ['rbac.authorization.k8s.io/v1', 'rbac.authorization.k8s.io'];
      const roleRef = { apiGroup, kind: 'ClusterRole', name };
      for (const object of [
        { apiVersion, kind: 'ClusterRole', metadata: { name }, rules },
        { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects },
      ])
        expectStatus(await controlPlane().client.apply(object), [200, 201]);
    };
    /** Asks who one is; resolves with the status and the user. */
    const whoAmI = async (token: string): Promise<{ readonly status: number; readonly body: unknown }> => {
      const { url, authority: trusted } = gateway.target(token);
      const connection = new Connection({ url, token, authority: trusted });
      try {
        const [apiVersion, kind] = ['authentication.k8s.io/v1', 'SelfSubjectReview'];
        const { status, text } = await connection.send({
          method: 'POST',
          path: `/apis/${apiVersion}/selfsubjectreviews`,
          contentType: 'application/json',
          text: JSON.stringify({ apiVersion, kind }),
        });
        const body = JSON.parse(text) as { readonly status: { readonly userInfo: unknown } };
        return { status, body: status === 201 ? body.status.userInfo : body };
      } finally {
        connection.close();
      }
    };

    beforeAll(async () => {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'gateway', namespace: 'default' } };
      expectStatus(await controlPlane().client.apply(account), [200, 201]);
      const subjects = [{ kind: 'ServiceAccount', name: 'gateway', namespace: 'default' }];
      // Exactly what the installed gateway may do: no user and no group is its to impersonate.
      await bind('gateway', subjects, gatewayPermissions({ resources: [] }));
      const developers = [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'oidc:developers' }];
      const verbs = ['get', 'list', 'watch', 'create'];
      await bind('developers', developers, [{ apiGroups: [''], resources: ['pods', 'configmaps'], verbs }]);
      const token = await controlPlane().serviceAccountToken('default', 'gateway');
      const apiServer = loadKubeConfig({ file: controlPlane().kubeconfigFor({ token }), environment: {} });
      gateway = await TestGateway.start(controlPlane(), [{ group: '', version: 'v1', plural: 'pods' }], { apiServer });
    }, 60_000);
    afterAll(() => gateway.stop());

    test('an issuer that cannot be reached stops neither the gateway nor its other clients', async () => {
      const token = await gatewayToken(controlPlane(), 'reader');
      await allowReads(controlPlane(), 'reader', ['list']);
      await waitFor(
        'the role to act',
        async () => (await gateway.get(`${pods}?resourceVersion=0`, token)).status === 200,
      );
      expect(await gateway.get(pods, await tokenOf(ada))).toMatchObject({ status: 401 });
      people.isUnreachable = false;
      await waitFor('the API server to know the keys', async () => (await whoAmI(await tokenOf(ada))).status === 201);
    }, 60_000);

    test('a user has the name and the groups that the API server gives to the token', async () => {
      const token = await tokenOf({ ...ada, groups: ['developers', 'équipe'] });
      const groups = ['oidc:developers', 'oidc:équipe', 'system:authenticated'];
      expect(await whoAmI(token)).toMatchObject({ status: 201, body: { username: 'oidc:ada', groups } });
    });

    test('roles of its groups let a user read from the cache', async () => {
      const token = await tokenOf(ada);
      const cached = await gateway.get(`${pods}?resourceVersion=0`, token);
      expect(cached).toMatchObject({ status: 200, headers: { 'pinion-cache-age': expect.anything() } });
      const other = await tokenOf({ sub: 'eve' });
      const refused = await gateway.get(`${pods}?resourceVersion=0`, other);
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({ message: expect.stringContaining('User "oidc:eve" cannot list') });
    });

    test('the API server sees the user itself, and no impersonation', async () => {
      const token = await tokenOf(ada);
      expect((await gateway.get('/api/v1/namespaces/default/configmaps', token)).status).toBe(200);
      expect((await gateway.get(pods, token)).status).toBe(200);
      const events = await waitFor('the audit log', () => {
        const own = controlPlane().audit.since({ offset: 0 }, { user: 'oidc:ada' });
        const reads = own.filter(({ verb }) => verb === 'list');
        return Promise.resolve(reads.length >= 2 ? reads : undefined);
      });
      for (const { impersonatedUser } of events) expect(impersonatedUser).toBeUndefined();
    });

    test.each<[string, () => Promise<string>]>([
      ['for another audience', () => tokenOf(ada, { audience: 'other' })],
      ['for the audience of the gateway, which is that of service accounts', () => tokenOf(ada, { audience })],
      ['of an issuer that the API server does not know', () => tokenOf(ada, { issuer: 'https://localhost:1' })],
      ['that has expired', () => tokenOf(ada, { lifetime: -10 })],
      ['by a key that its issuer does not list', async () => tokenOf(ada, { key: await createSigningKey('key-1') })],
      [
        'without a signature',
        async () => {
          const [, claims = ''] = (await tokenOf(ada)).split('.');
          return `${encoded({ alg: 'none', typ: 'JWT' })}.${claims}.`;
        },
      ],
      [
        'with a signature by the public key as a secret',
        async () => {
          const [, claims = ''] = (await tokenOf(ada)).split('.');
          const signed = `${encoded({ alg: 'HS256', kid: people.key.kid })}.${claims}`;
          const secret = JSON.stringify(people.key.jwk);
          return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
        },
      ],
      ['of a service account for the API server', () => controlPlane().serviceAccountToken('default', 'gateway')],
      [
        'with a group of Kubernetes',
        () => careless.createToken({ sub: 'ada', groups: ['system:masters'] }, { audience: clientId }),
      ],
      ['with a name of Kubernetes', () => careless.createToken({ sub: 'system:admin' }, { audience: clientId })],
    ])('a token %s is refused', async (_what, token) => {
      expect(await gateway.get(`${pods}?resourceVersion=0`, await token())).toMatchObject({ status: 401 });
    });

    test('the issuer whose users choose their groups is known to the API server', async () => {
      const token = await careless.createToken({ sub: 'ada', groups: ['developers'] }, { audience: clientId });
      expect(await whoAmI(token)).toMatchObject({ status: 201, body: { username: 'ada' } });
    });

    test('what a user has open ends when the token expires', async () => {
      const token = await tokenOf(ada, { lifetime: 10 });
      const path = `${pods}?watch=true&resourceVersion=0`;
      const cached = await WatchRecorder.start(gateway.target(token), path);
      const passed = await WatchRecorder.start(gateway.target(token), `${pods}?watch=true`);
      expect([cached.status, cached.isCached, passed.status, passed.isCached]).toEqual([200, true, 200, false]);
      await waitFor('both watches to end', () => Promise.resolve(cached.hasEnded && passed.hasEnded), {
        timeout: 60_000,
      });
      expect(await gateway.get(`${pods}?resourceVersion=0`, token)).toMatchObject({ status: 401 });
      expect(gateway.errors).toEqual([]);
    }, 90_000);
  },
  { apiServerFlags },
);
