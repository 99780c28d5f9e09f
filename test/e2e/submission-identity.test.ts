import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, loadKubeConfig, type KubeClient } from '../../lib/kube';
import { type Identified, type Authenticator } from '../../lib/submission/authenticator';
import { safeParseIdentitySettings, type IssuerSettings } from '../../lib/programs';
import { knownIdentity } from '../../lib/submission/identity/index';
import { expectStatus } from '../control-plane/answer';
import { type ControlPlane } from '../control-plane/control-plane';
import { describeControlPlane } from '../control-plane/suite';
import { waitFor } from '../control-plane/wait-for';
import { TestAuthority } from '../kube/certificates';
import { LocalIssuer } from '../local/issuer/local-issuer';
import { TurnedClock } from '../submission/identity/turned-clock';

const clusterIssuer = 'https://kubernetes.default.svc';
const ourAudience = 'pinion-submission';
const authority = new TestAuthority();
const clock = new TurnedClock();

/** How two issuers are configured, for us and for the API server alike. */
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
  const jwt = configured.map(({ audience, usernameClaim, usernamePrefix, groupsClaim, groupsPrefix }, nth) => ({
    issuer: { url: issuers[nth]?.url, certificateAuthority: authority.certificate, audiences: [audience] },
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

/** Asks the issuers, whose authority the world does not know. */
const fetchTrusting: typeof fetch = (url) =>
  new Promise((fulfil, reject) => {
    get(String(url), { ca: authority.certificate, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => fulfil(new Response(text, { status: answer.statusCode ?? 500 })));
    }).on('error', reject);
  });

/** Makes a service account. */
async function makeAccount({ client }: ControlPlane, namespace: string, name: string): Promise<void> {
  await client.ensureNamespace(namespace);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
  expectStatus(await client.applyForReal(account), [200, 201]);
}

/** Makes the account of the service, which may create TokenReviews and nothing else. */
async function mayReviewOnly(controlPlane: ControlPlane): Promise<void> {
  await makeAccount(controlPlane, 'pinion', 'submission');
  const [apiVersion, metadata] = ['rbac.authorization.k8s.io/v1', { name: 'token-reviews' }];
  const rules = [{ apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
  const subjects = [{ kind: 'ServiceAccount', name: 'submission', namespace: 'pinion' }];
  for (const object of [
    { apiVersion, kind: 'ClusterRole', metadata, rules },
    { apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects },
  ])
    expectStatus(await controlPlane.client.applyForReal(object), [200, 201]);
}

/** A token of a service account of the namespace `ci`, made for some audiences; for the API server's own where none are said. */
async function tokenFor({ client }: ControlPlane, name: string, audiences: readonly string[]): Promise<string> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences } };
  const answer = await client.request('POST', `/api/v1/namespaces/ci/serviceaccounts/${name}/token`, body);
  return (expectStatus(answer, [201]).body as { readonly status: { readonly token: string } }).status.token;
}

interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

/** Whom the API server takes the holder of a token for; undefined where it refuses the token. */
async function reviewed(controlPlane: ControlPlane, token: string): Promise<UserInfo | undefined> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = `/apis/${body.apiVersion}/selfsubjectreviews`;
  const answer = expectStatus(await controlPlane.withToken(token).request('POST', path, body), [201, 401]);
  if (answer.status === 401) return undefined;
  return (answer.body as { readonly status: { readonly userInfo: UserInfo } }).status.userInfo;
}

describeControlPlane(
  'who asks, beside what the API server says',
  (controlPlane) => {
    let client: KubeClient;
    let identity: Authenticator;
    beforeAll(async () => {
      await mayReviewOnly(controlPlane());
      await makeAccount(controlPlane(), 'ci', 'bot');
      const token = await controlPlane().serviceAccountToken('pinion', 'submission');
      const file = controlPlane().kubeconfigFor({ token });
      client = connect(loadKubeConfig({ file, environment: {} }), { clock, userAgent: 'pinion-test' });
      const { settings } = safeParseIdentitySettings({
        issuers: configured.map((each, nth) => ({ ...each, issuer: issuers[nth]?.url ?? '' })),
        serviceAccounts: { issuers: [clusterIssuer] },
      });
      if (!settings) throw new Error('the settings of the test are wrong');
      ({ identity } = knownIdentity({ settings, clock, client, fetch: fetchTrusting }));
    }, 60_000);
    afterAll(() => client.close());

    const whoShows = (token: string): Promise<Identified> => identity.callerOf({ authorization: `Bearer ${token}` });

    test('a service account is known by a token for us, and by no other of its tokens', async () => {
      expect(await whoShows(await tokenFor(controlPlane(), 'bot', [ourAudience]))).toEqual({
        by: 'bearer',
        caller: {
          subject: 'system:serviceaccount:ci:bot',
          issuer: clusterIssuer,
          kind: 'ServiceAccount',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:ci', 'system:authenticated'],
        },
      });
      expect(await whoShows(await tokenFor(controlPlane(), 'bot', ['vault', ourAudience]))).toHaveProperty('caller');
      for (const audiences of [['vault'], [clusterIssuer], []])
        expect(await whoShows(await tokenFor(controlPlane(), 'bot', audiences))).toHaveProperty('refused');
    });

    test('a token of a service account that was changed is refused, and the API server was asked', async () => {
      const token = await tokenFor(controlPlane(), 'bot', [ourAudience]);
      const place = token.length - 20;
      const changed = token.slice(0, place) + (token[place] === 'A' ? 'B' : 'A') + token.slice(place + 1);
      const identified = await whoShows(changed);
      expect(identified).toEqual({ refused: expect.stringMatching(/API server does not accept/) });
      expect(JSON.stringify(identified)).not.toContain(changed.slice(-40));
    });

    test('a service account that is deleted stops, though its token has not ended', async () => {
      await makeAccount(controlPlane(), 'ci', 'leaver');
      const token = await tokenFor(controlPlane(), 'leaver', [ourAudience]);
      expect(await whoShows(token)).toHaveProperty('caller');
      const path = '/api/v1/namespaces/ci/serviceaccounts/leaver';
      expectStatus(await controlPlane().client.request('DELETE', path), [200]);
      // The API server itself remembers a token for ten seconds.
      await waitFor('the account to stop', async () => {
        clock.turn(30_000);
        return 'refused' in (await whoShows(token));
      });
      await makeAccount(controlPlane(), 'ci', 'leaver');
      clock.turn(30_000);
      expect(await whoShows(token)).toHaveProperty('refused');
    });

    const ada = { sub: 'ada', email: 'ada@example.com', groups: ['a', 'b'], roles: ['r'] };
    const soon = (): number => Math.floor(Date.now() / 1000);

    test.each<[string, number, () => object, object]>([
      ['plain', 0, () => ada, {}],
      ['plain, of the other issuer', 1, () => ada, {}],
      ['with one group as a text', 0, () => ({ ...ada, groups: 'a' }), {}],
      ['with several groups', 1, () => ({ ...ada, roles: ['r', 's'] }), {}],
      ['without groups', 0, () => ({ sub: 'ada' }), {}],
      ['for several audiences', 0, () => ada, { audience: ['x', 'kubernetes'] }],
      ['with a verified address', 1, () => ({ ...ada, email_verified: true }), {}],
      ['that began a second ago', 0, () => ({ ...ada, nbf: soon() - 1 }), {}],
      ['with groups that are numbers', 0, () => ({ ...ada, groups: [1] }), {}],
      ['with groups that are an object', 0, () => ({ ...ada, groups: { a: 'b' } }), {}],
      ['with an address that is not verified', 1, () => ({ ...ada, email_verified: false }), {}],
      ['without a name', 1, () => ({ sub: 'ada' }), {}],
      ['with a number for a name', 0, () => ({ ...ada, sub: 7 }), {}],
      ['that has ended', 0, () => ada, { lifetime: -3600 }],
      ['that begins in an hour', 0, () => ({ ...ada, nbf: soon() + 3600 }), {}],
      ['for another audience', 0, () => ada, { audience: 'other' }],
      ['by a key that is not listed', 0, () => ada, { header: { kid: 'unlisted' } }],
    ])('a token %s is one and the same to the API server and to us', async (_, nth, claims, terms) => {
      const issuer = issuers[nth] as LocalIssuer;
      const audience = configured[nth]?.audience ?? '';
      await waitFor('the API server to have the keys of the issuer', async () => {
        const token = await issuer.mint({ ...ada, nonce: String(Date.now()) }, { audience });
        return (await reviewed(controlPlane(), token)) !== undefined;
      });
      const token = await issuer.mint({ ...claims() }, { audience, ...terms });
      const theirs = await reviewed(controlPlane(), token);
      const ours = await whoShows(token);
      if (!theirs) return expect(ours).toHaveProperty('refused');
      expect(ours).toMatchObject({ caller: { subject: theirs.username, groups: theirs.groups } });
    });
  },
  { apiServerFlags },
);
