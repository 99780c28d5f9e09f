import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, loadKubeConfig, type KubeClient } from '../../lib/kube';
import { type AuthenticationResult, type Authenticator } from '../../lib/submission/authenticator';
import { safeParseIdentitySettings, type IssuerSettings } from '../../lib/programs';
import { createAuthenticator } from '../../lib/submission/identity';
import { expectStatus } from '../control-plane/api-response';
import { type ControlPlane } from '../control-plane/control-plane';
import { describeControlPlane } from '../control-plane/suite';
import { waitFor } from '../control-plane/wait-for';
import { TestAuthority } from '../kube/certificates';
import { LocalIssuer } from '../local/issuer/local-issuer';
import { AdjustableClock } from '../submission/identity/adjustable-clock';

const clusterIssuer = 'https://kubernetes.default.svc';
const serviceAudience = 'pinion-submission';
const authority = new TestAuthority();
const clock = new AdjustableClock();

/** Settings of two issuers, for the service and for the API server. */
const configured: readonly Omit<IssuerSettings, 'issuer' | 'algorithms'>[] = [
  { audience: 'kubernetes', usernameClaim: 'sub', usernamePrefix: 'oidc:', groupsClaim: 'groups', groupsPrefix: '' },
  { audience: 'other', usernameClaim: 'email', usernamePrefix: '-', groupsClaim: 'roles', groupsPrefix: 'role:' },
];
const issuers: LocalIssuer[] = [];
const apiServerFlags: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'pinion-identity-'));

beforeAll(async () => {
  const { certificate: cert, key } = authority.certify('localhost');
  for (const _ of configured) issuers.push(await LocalIssuer.start({ tls: { cert, key } }));
  const jwt = configured.map(({ audience, usernameClaim, usernamePrefix, groupsClaim, groupsPrefix }, index) => ({
    issuer: { url: issuers[index]?.url, certificateAuthority: authority.certificate, audiences: [audience] },
    claimMappings: {
      username: { claim: usernameClaim, prefix: usernamePrefix === '-' ? '' : usernamePrefix },
      groups: { claim: groupsClaim, prefix: groupsPrefix },
    },
  }));
  const file = join(folder, 'authentication.json');
  const apiVersion = 'apiserver.config.k8s.io/v1';
  writeFileSync(file, JSON.stringify({ apiVersion, kind: 'AuthenticationConfiguration', jwt }));
  apiServerFlags.push(`--authentication-config=${file}`);
});
afterAll(async () => {
  for (const issuer of issuers) await issuer.stop();
  rmSync(folder, { recursive: true });
});

/** Fetches from the issuers, whose certificate authority is not trusted by default. */
const fetchTrusting: typeof fetch = (url) =>
  new Promise((resolve, reject) => {
    get(String(url), { ca: authority.certificate, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(new Response(text, { status: response.statusCode ?? 500 })));
    }).on('error', reject);
  });

/** Creates a service account. */
async function createAccount({ client }: ControlPlane, namespace: string, name: string): Promise<void> {
  await client.ensureNamespace(namespace);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
  expectStatus(await client.apply(account), [200, 201]);
}

/** Creates the account of the service, which may only create TokenReviews. */
async function createReviewerAccount(controlPlane: ControlPlane): Promise<void> {
  await createAccount(controlPlane, 'pinion', 'submission');
  const [apiVersion, metadata] = ['rbac.authorization.k8s.io/v1', { name: 'token-reviews' }];
  const rules = [{ apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
  const subjects = [{ kind: 'ServiceAccount', name: 'submission', namespace: 'pinion' }];
  for (const object of [
    { apiVersion, kind: 'ClusterRole', metadata, rules },
    { apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects },
  ])
    expectStatus(await controlPlane.client.apply(object), [200, 201]);
}

/** Returns a token of a service account in the namespace `ci` for audiences; if empty, for those of the API server. */
async function tokenFor({ client }: ControlPlane, name: string, audiences: readonly string[]): Promise<string> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences } };
  const response = await client.request('POST', `/api/v1/namespaces/ci/serviceaccounts/${name}/token`, body);
  return (expectStatus(response, [201]).body as { readonly status: { readonly token: string } }).status.token;
}

interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

/** Returns the user that the API server resolves a token to; undefined if it rejects the token. */
async function reviewToken(controlPlane: ControlPlane, token: string): Promise<UserInfo | undefined> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = `/apis/${body.apiVersion}/selfsubjectreviews`;
  const response = expectStatus(await controlPlane.withToken(token).request('POST', path, body), [201, 401]);
  if (response.status === 401) return undefined;
  return (response.body as { readonly status: { readonly userInfo: UserInfo } }).status.userInfo;
}

describeControlPlane(
  'caller identity compared with the API server',
  (controlPlane) => {
    let client: KubeClient;
    let identity: Authenticator;
    beforeAll(async () => {
      await createReviewerAccount(controlPlane());
      await createAccount(controlPlane(), 'ci', 'bot');
      const token = await controlPlane().serviceAccountToken('pinion', 'submission');
      const file = controlPlane().kubeconfigFor({ token });
      client = connect(loadKubeConfig({ file, environment: {} }), { clock, userAgent: 'pinion-test' });
      const { settings } = safeParseIdentitySettings({
        issuers: configured.map((each, index) => ({ ...each, issuer: issuers[index]?.url ?? '' })),
        serviceAccounts: { issuers: [clusterIssuer] },
      });
      if (!settings) throw new Error('the settings of the test are wrong');
      ({ identity } = createAuthenticator({ settings, clock, client, fetch: fetchTrusting }));
    }, 60_000);
    afterAll(() => client.close());

    const identify = (token: string): Promise<AuthenticationResult> =>
      identity.authenticate({ authorization: `Bearer ${token}` });

    test('a service account is identified only by a token for the service audience', async () => {
      expect(await identify(await tokenFor(controlPlane(), 'bot', [serviceAudience]))).toEqual({
        by: 'bearer',
        caller: {
          subject: 'system:serviceaccount:ci:bot',
          issuer: clusterIssuer,
          kind: 'ServiceAccount',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:ci', 'system:authenticated'],
        },
      });
      expect(await identify(await tokenFor(controlPlane(), 'bot', ['vault', serviceAudience]))).toHaveProperty(
        'caller',
      );
      for (const audiences of [['vault'], [clusterIssuer], []])
        expect(await identify(await tokenFor(controlPlane(), 'bot', audiences))).toHaveProperty('refused');
    });

    test('a modified service account token is rejected without a review by the API server', async () => {
      const token = await tokenFor(controlPlane(), 'bot', [serviceAudience]);
      const position = token.length - 20;
      const changed = token.slice(0, position) + (token[position] === 'A' ? 'B' : 'A') + token.slice(position + 1);
      const identified = await identify(changed);
      expect(identified).toEqual({ refused: expect.stringMatching(/no signature of the API server/) });
      expect(JSON.stringify(identified)).not.toContain(changed.slice(-40));
    });

    test('a deleted service account is rejected, although its token has not expired', async () => {
      await createAccount(controlPlane(), 'ci', 'leaver');
      const token = await tokenFor(controlPlane(), 'leaver', [serviceAudience]);
      expect(await identify(token)).toHaveProperty('caller');
      const path = '/api/v1/namespaces/ci/serviceaccounts/leaver';
      expectStatus(await controlPlane().client.request('DELETE', path), [200]);
      // The API server caches a token for ten seconds.
      await waitFor('the account to be rejected', async () => {
        clock.turn(30_000);
        return 'refused' in (await identify(token));
      });
      await createAccount(controlPlane(), 'ci', 'leaver');
      clock.turn(30_000);
      expect(await identify(token)).toHaveProperty('refused');
    });

    const ada = { sub: 'ada', email: 'ada@example.com', groups: ['a', 'b'], roles: ['r'] };
    const nowSeconds = (): number => Math.floor(Date.now() / 1000);

    test.each<[string, number, () => object, object]>([
      ['plain', 0, () => ada, {}],
      ['plain, from the other issuer', 1, () => ada, {}],
      ['with one group as a string', 0, () => ({ ...ada, groups: 'a' }), {}],
      ['with several groups', 1, () => ({ ...ada, roles: ['r', 's'] }), {}],
      ['without groups', 0, () => ({ sub: 'ada' }), {}],
      ['for several audiences', 0, () => ada, { audience: ['x', 'kubernetes'] }],
      ['with a verified address', 1, () => ({ ...ada, email_verified: true }), {}],
      ['that became valid a second ago', 0, () => ({ ...ada, nbf: nowSeconds() - 1 }), {}],
      ['with groups that are numbers', 0, () => ({ ...ada, groups: [1] }), {}],
      ['with groups that are an object', 0, () => ({ ...ada, groups: { a: 'b' } }), {}],
      ['with an address that is not verified', 1, () => ({ ...ada, email_verified: false }), {}],
      ['without a name', 1, () => ({ sub: 'ada' }), {}],
      ['with a number for a name', 0, () => ({ ...ada, sub: 7 }), {}],
      ['that has expired', 0, () => ada, { lifetime: -3600 }],
      ['that becomes valid in an hour', 0, () => ({ ...ada, nbf: nowSeconds() + 3600 }), {}],
      ['for another audience', 0, () => ada, { audience: 'other' }],
      ['by a key that is not listed', 0, () => ada, { header: { kid: 'unlisted' } }],
    ])('a token %s has the same result in the API server and the service', async (_, index, claims, tokenOptions) => {
      const issuer = issuers[index] as LocalIssuer;
      const audience = configured[index]?.audience ?? '';
      await waitFor('the API server to have the keys of the issuer', async () => {
        const token = await issuer.createToken({ ...ada, nonce: String(Date.now()) }, { audience });
        return (await reviewToken(controlPlane(), token)) !== undefined;
      });
      const token = await issuer.createToken({ ...claims() }, { audience, ...tokenOptions });
      const byServer = await reviewToken(controlPlane(), token);
      const byService = await identify(token);
      if (!byServer) return expect(byService).toHaveProperty('refused');
      expect(byService).toMatchObject({ caller: { subject: byServer.username, groups: byServer.groups } });
    });
  },
  { apiServerFlags },
);
