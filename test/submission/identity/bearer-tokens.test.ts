import fc from 'fast-check';
import { exportSPKI, importJWK, SignJWT, type CryptoKey } from 'jose';
import { safeParseIdentitySettings, type IssuerSettings } from '../../../lib/programs';
import { callerOfClaims } from '../../../lib/submission/identity/caller-of-claims';
import { createSigningKey } from '../../local/issuer/signing-keys';
import { testContext, audience, issuerInput, makeIdentity, authenticate } from './identity-fixture';

jest.setTimeout(60_000);

const ada = { sub: 'ada', email: 'ada@example.com', groups: ['shop-admins', 'shop-developers'] };
const mint = (claims: object = ada, options: object = {}): Promise<string> =>
  testContext.issuer.createToken({ ...claims }, { audience, ...options });
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns the reason why a token is rejected, which must not quote the token. */
async function rejectionOf(token: string, authenticator = makeIdentity()): Promise<string> {
  const identified = await authenticate(token, authenticator);
  if (!('refused' in identified)) throw new Error(`was accepted as ${identified.caller.subject}`);
  for (const part of token.split('.')) expect(part.length < 12 || !identified.refused.includes(part)).toBe(true);
  return identified.refused;
}

test('a token of the issuer maps to the same user and groups as in an API server with the same settings', async () => {
  expect(await authenticate(await mint())).toEqual({
    by: 'bearer',
    caller: {
      subject: 'oidc:ada',
      issuer: testContext.issuer.url,
      kind: 'User',
      groups: ['shop-admins', 'shop-developers', 'system:authenticated'],
    },
  });
});

test.each<[string, object, object, string | undefined, string[]]>([
  ['no prefix is set, the issuer is the prefix', { usernamePrefix: undefined }, ada, '#ada', ada.groups],
  ['the prefix is a dash, there is none', { usernamePrefix: '-' }, ada, 'ada', ada.groups],
  ['the claim is email', { usernamePrefix: undefined, usernameClaim: 'email' }, ada, 'ada@example.com', ada.groups],
  ['groups have a prefix', { groupsPrefix: 'oidc:' }, { ...ada, groups: ['a'] }, 'oidc:ada', ['oidc:a']],
  ['a single group is a string', {}, { ...ada, groups: 'a' }, 'oidc:ada', ['a']],
  ['there are no groups', {}, { sub: 'ada' }, 'oidc:ada', []],
  ['no claim for groups is set', { groupsClaim: undefined }, ada, 'oidc:ada', []],
  ['a group is reserved by Kubernetes', {}, { ...ada, groups: ['system:masters', 'a'] }, 'oidc:ada', ['a']],
])('names are mapped correctly if %s', async (_, overrides, claims, subject, groups) => {
  const settings = { ...issuerInput(), ...overrides };
  const input = { issuers: [Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))] };
  const identified = await authenticate(await mint(claims), makeIdentity(input as never));
  const expected = subject?.startsWith('#') ? testContext.issuer.url + subject : subject;
  expect(identified).toMatchObject({ caller: { subject: expected, groups: [...groups, 'system:authenticated'] } });
});

test.each<[string, object, boolean]>([
  ['the owner', { repository_owner_id: '1234567' }, true],
  ['the owner as a number', { repository_owner_id: 1234567 }, true],
  ['a list with the owner', { repository_owner_id: ['7', '1234567'] }, true],
  ['another owner', { repository_owner_id: '12345678' }, false],
  ['an object', { repository_owner_id: { 1234567: true } }, false],
  ['no claim', {}, false],
  ['the owner but another event', { repository_owner_id: '1234567', event_name: 'pull_request_target' }, false],
])('claim rules accept only their values: %s', async (_, claims, isAccepted) => {
  const rules = { repository_owner_id: ['1234567'], event_name: ['push'] };
  const authenticator = makeIdentity({ issuers: [issuerInput({ claims: rules })] });
  const token = await mint({ sub: 'repo:commerce/shop', event_name: 'push', ...claims });
  const result = await authenticate(token, authenticator);
  expect(result).toEqual(
    isAccepted
      ? expect.objectContaining({ by: 'bearer' })
      : { refused: expect.stringMatching(/the claim "(repository_owner_id|event_name)" of the token has no value/) },
  );
});

test('users of an issuer are not in system:authenticated if its settings say so', async () => {
  const authenticator = makeIdentity({ issuers: [issuerInput({ systemAuthenticated: false })] });
  expect(await authenticate(await mint(), authenticator)).toMatchObject({ caller: { groups: ada.groups } });
});

test.each([
  ['https://token.actions.githubusercontent.com', undefined, []],
  ['https://token.actions.githubusercontent.com', true, ['system:authenticated']],
  ['https://login.example.com', undefined, ['system:authenticated']],
])('a user of %s with systemAuthenticated %s is in %j', (issuer, systemAuthenticated, groups) => {
  const { settings } = safeParseIdentitySettings({
    issuers: [{ issuer, audience, claims: { repository_owner_id: ['7'] }, systemAuthenticated }],
  });
  const result = callerOfClaims({ sub: 'job', repository_owner_id: '7' }, settings?.issuers[0] as IssuerSettings);
  expect(result).toMatchObject({ caller: { groups } });
});

test.each<[string, object, object, RegExp]>([
  ['has no subject', {}, { email: 'ada@example.com' }, /no string in the claim "sub"/],
  ['has a number as subject', {}, { sub: 7 }, /no string in the claim "sub"/],
  ['lists groups that are not strings', {}, { sub: 'ada', groups: [7] }, /claim "groups"/],
  [
    'uses a name reserved by Kubernetes',
    { usernamePrefix: '-' },
    { sub: 'system:admin' },
    /user name in the token is not allowed/,
  ],
  ['has a name with a line break', {}, { sub: 'ada\nroot' }, /user name in the token is not allowed/],
  ['has an unverified email address', { usernameClaim: 'email' }, { ...ada, email_verified: false }, /not verified/],
])('a token that %s is rejected', async (_, overrides, claims, reason) => {
  expect(await rejectionOf(await mint(claims), makeIdentity({ issuers: [issuerInput(overrides)] }))).toMatch(reason);
});

test.each<[string, object, object, RegExp]>([
  ['has expired', ada, { lifetime: -60 }, /has expired/],
  ['is not valid yet', { ...ada, nbf: 4_000_000_000 }, {}, /not valid yet/],
  ['was issued in the future', { ...ada, iat: 4_000_000_000, exp: 4_000_003_600 }, {}, /in the future/],
  ['has no expiry', { ...ada, exp: undefined }, {}, /no expiration time/],
  ['has no issue time', { ...ada, iat: undefined }, {}, /no issue time/],
  ['is for another audience', ada, { audience: 'kubernetes' }, /another service/],
  ['is from another issuer', ada, { issuer: 'https://evil.example.com' }, /issuer of the token is unknown/],
  ['is a logout token', ada, { header: { typ: 'logout+jwt' } }, /tokens of this type/],
])('a token that %s is rejected', async (_, claims, options, reason) => {
  expect(await rejectionOf(await mint(claims, options))).toMatch(reason);
});

test('an issuer must match exactly', async () => {
  expect(await rejectionOf(await mint(ada, { issuer: `${testContext.issuer.url}/` }))).toMatch(
    /issuer of the token is unknown/,
  );
});

test('a token may have several audiences, and may be an access token', async () => {
  const token = await mint(ada, { audience: ['other', audience], header: { typ: 'at+jwt' } });
  expect(await authenticate(token)).toMatchObject({ caller: { subject: 'oidc:ada' } });
});

test('a forged token is rejected', async () => {
  const claims = { ...ada, iss: testContext.issuer.url, aud: audience, iat: 1_700_000_000, exp: 4_000_000_000 };
  const { key } = testContext.issuer;
  const none = `${base64({ alg: 'none', kid: key.kid })}.${base64(claims)}.`;
  expect(await rejectionOf(none)).toMatch(/algorithm|malformed/);
  const publicKey = await exportSPKI((await importJWK(key.jwk, 'RS256')) as CryptoKey);
  const shared = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: key.kid });
  expect(await rejectionOf(await shared.sign(Buffer.from(publicKey)))).toMatch(/algorithm/);
  const other = await createSigningKey(key.kid);
  expect(await rejectionOf(await mint(ada, { key: other }))).toMatch(/signature/);
  const embedded = { jwk: other.jwk, jku: `${testContext.issuer.url}/keys`, x5u: 'https://evil.example.com' };
  expect(await rejectionOf(await mint(ada, { key: other, header: embedded }))).toMatch(/signature/);
  expect(await rejectionOf(await mint(ada, { key: await createSigningKey(key.kid, 'RS512') }))).toMatch(/algorithm/);
});

test('a token with a critical header is rejected', async () => {
  const [, claims, signature] = (await mint()).split('.');
  const head = base64({ alg: 'RS256', kid: testContext.issuer.key.kid, crit: ['b64'], b64: false });
  expect(await rejectionOf(`${head}.${claims}.${signature}`)).toMatch(/extension/);
});

test('every token with one changed character is rejected', async () => {
  const token = await mint();
  const authenticator = makeIdentity();
  await authenticate(token, authenticator);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
  const changed = fc.tuple(fc.nat({ max: token.length - 1 }), fc.constantFrom(...letters));
  await fc.assert(
    fc.asyncProperty(changed, async ([index, letter]) => {
      fc.pre(token[index] !== letter);
      await rejectionOf(token.slice(0, index) + letter + token.slice(index + 1), authenticator);
    }),
    { numRuns: 400 },
  );
  // The last character holds bits that are not part of the signature.
  for (const letter of letters.slice(0, 64))
    if (!token.endsWith(letter)) await rejectionOf(token.slice(0, -1) + letter, authenticator);
});

test.each([
  ['with another scheme', 'Basic YWRhOnNlY3JldA==', /no bearer token/],
  ['without a token', 'Bearer', /no bearer token/],
  ['with two tokens', 'Bearer a.b.c d', /no bearer token/],
  ['with invalid characters', 'Bearer not-a-token', /malformed/],
  ['without a length limit', `Bearer ${'a'.repeat(20_000)}`, /more than 16384/],
  ['with an empty token', `Bearer e30.e30.e30`, /malformed/],
])('an Authorization header %s is rejected', async (_, authorization, reason) => {
  expect(await makeIdentity().identity.authenticate({ authorization })).toEqual({
    refused: expect.stringMatching(reason),
  });
});

test('a request without credentials is anonymous', async () => {
  expect(await makeIdentity().identity.authenticate({})).toEqual({ refused: expect.stringMatching(/neither/) });
});

test('an authentication expires with its token', async () => {
  const authenticator = makeIdentity();
  const token = await mint(ada, { lifetime: 300 });
  expect(await authenticate(token, authenticator)).toHaveProperty('caller');
  testContext.clock.turn(299_000);
  expect(await authenticate(token, authenticator)).toHaveProperty('caller');
  // Clocks may differ by half a minute.
  testContext.clock.turn(32_000);
  expect(await rejectionOf(token, authenticator)).toMatch(/has expired/);
});
