import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { type AuthenticationResult } from '../../../lib/submission/authenticator';
import { safeParseSessionKeys, type AuthenticatorOptions, type SessionKey } from '../../../lib/submission/identity';
import { LocalIssuer } from '../../local/issuer/local-issuer';
import { Browser } from './browser';
import { testContext, issuerInput, makeIdentity } from './identity-fixture';

jest.setTimeout(60_000);

const publicUrl = 'http://127.0.0.1:8080';
const callback = `${publicUrl}/login/callback`;
const keyText = (): string => randomBytes(32).toString('base64');
const keysOf = (...texts: readonly string[]): readonly SessionKey[] => {
  const { keys, problems } = safeParseSessionKeys(texts.join('\n'));
  if (!keys) throw new Error(JSON.stringify(problems));
  return keys;
};

let secret: string;
let keys: readonly SessionKey[];
let failures: string[];
beforeEach(() => {
  secret = keyText();
  keys = keysOf(secret);
  failures = [];
  testContext.issuer.registerClient({ id: 'pinion-page', redirectUri: callback });
});

/** Returns the service with sessions. */
function service(session: object = {}, overrides: Partial<AuthenticatorOptions> = {}) {
  const input = { issuer: testContext.issuer.url, clientId: 'pinion-page', publicUrl, keysFile: '/keys', ...session };
  const onLoginFailure = (code: string): void => void failures.push(code);
  return makeIdentity(
    { issuers: [issuerInput()], session: input },
    { sessionKeys: () => keys, onLoginFailure, ...overrides },
  );
}

/** Returns a browser with a logged-in user, and its identity. */
async function loggedIn(user = 'ada', { identity, routes } = service()) {
  const browser = new Browser(routes);
  const loginRedirect = await browser.request('GET', '/login?return=/projects/shop');
  const callbackUrl = await browser.logInAt(`${loginRedirect.headers['location']}`, user);
  const response = await browser.request('GET', callbackUrl);
  const identify = (cookie = browser.cookie): Promise<AuthenticationResult> => identity.authenticate({ cookie });
  return { browser, callbackUrl, response, identify };
}

test('a login creates a session, and returns to the page on which it started', async () => {
  const { response, identify, browser } = await loggedIn();
  expect(response.status).toBe(200);
  expect(response.body).toContain(`content="0;url=${publicUrl}/projects/shop"`);
  expect(await identify()).toEqual({
    by: 'session',
    caller: {
      subject: 'oidc:ada',
      issuer: testContext.issuer.url,
      kind: 'User',
      groups: ['shop-admins', 'shop-developers', 'system:authenticated'],
    },
  });
  expect([...browser.cookies.keys()]).toEqual(['pinion-session-0']);
});

test('no token, code or key is visible to the browser, and a session exists only in its cookie', async () => {
  const { browser, response, callbackUrl } = await loggedIn();
  const code = new URL(callbackUrl).searchParams.get('code') ?? '';
  expect(code).not.toBe('');
  const encrypted = browser.cookies.get('pinion-session-0') ?? '';
  expect(response.body).not.toContain(code);
  expect(`${response.body}${JSON.stringify({ ...response.headers, 'set-cookie': '' })}`).not.toContain(encrypted);
  for (const line of browser.setCookies) {
    expect(line).not.toContain('ada');
    expect(line).not.toContain(secret);
    expect(Buffer.from(line.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain('oidc');
  }
  expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
});

test('https cookies are secure and bound to the host, sessions are strict, and scripts cannot read them', async () => {
  const secure = 'https://deploy.example.com';
  testContext.issuer.registerClient({ id: 'pinion-page', redirectUri: `${secure}/login/callback` });
  const { browser } = await loggedIn('ada', service({ publicUrl: secure }));
  expect(browser.setCookies.length).toBeGreaterThan(0);
  for (const line of browser.setCookies)
    expect(line).toMatch(/^__Host-[\w-]+=[^;]*; Path=\/; Max-Age=\d+; HttpOnly; Secure; /);
  for (const line of browser.setCookies)
    expect(line).toMatch(line.includes('-session-') ? /SameSite=Strict$/ : /SameSite=Lax$/);
  expect([...browser.cookies.keys()]).toEqual(['__Host-pinion-session-0']);
});

test('a login uses PKCE, a state and a nonce, new ones for each login', async () => {
  const { routes } = service();
  const loginParameters = await Promise.all(
    [1, 2].map(async () => {
      const { headers } = await new Browser(routes).request('GET', '/login');
      return new URL(`${headers['location']}`).searchParams;
    }),
  );
  for (const parameters of loginParameters)
    expect(Object.fromEntries(parameters)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: callback,
      scope: 'openid profile email',
    });
  for (const name of ['state', 'nonce', 'code_challenge']) {
    const values = loginParameters.map((parameters) => parameters.get(name) ?? '');
    expect(new Set(values).size).toBe(2);
    for (const value of values) expect(value.length).toBeGreaterThan(40);
  }
});

test('a session expires with the token of the login', async () => {
  const { identify } = await loggedIn();
  testContext.clock.turn(59 * 60_000);
  expect(await identify()).toHaveProperty('caller');
  testContext.clock.turn(60_000);
  expect(await identify()).toHaveProperty('refused');
});

test('a session ends after its configured duration, and its cookie expires in the browser', async () => {
  const { browser, identify } = await loggedIn('ada', service({ maxDuration: '5m' }));
  expect(browser.setCookies.join()).toMatch(/pinion-session-0=[^;]+; Path=\/; Max-Age=(299|300);/);
  testContext.clock.turn(5 * 60_000);
  expect(await identify()).toHaveProperty('refused');
});

test('a logout clears the session of the browser, and only a page of the service can request it', async () => {
  const { browser, identify } = await loggedIn();
  const other = new Browser(service().routes);
  expect(await other.request('POST', '/logout')).toMatchObject({ status: 303, headers: { 'set-cookie': [] } });
  expect(await browser.request('POST', '/logout')).toMatchObject({
    status: 303,
    headers: { location: `${publicUrl}/` },
  });
  expect(browser.cookie).toBe('');
  expect(await identify()).toHaveProperty('refused');
});

test('every replica with the same keys accepts a session', async () => {
  const { browser } = await loggedIn();
  const { identity } = service();
  expect(await identity.authenticate({ cookie: browser.cookie })).toMatchObject({ by: 'session' });
});

test('key rotation ends no session, and a removed key ends those encrypted with it', async () => {
  const { browser, identify } = await loggedIn();
  const newer = keyText();
  keys = keysOf(newer, secret);
  expect(await identify()).toHaveProperty('caller');
  const later = await loggedIn();
  keys = keysOf(newer);
  expect(await later.identify()).toHaveProperty('caller');
  expect(await identify(browser.cookie)).toHaveProperty('refused');
});

test('every cookie with one changed character is rejected', async () => {
  const { browser, identify } = await loggedIn();
  const cookie = browser.cookie;
  const start = cookie.indexOf('=') + 1;
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
  const changed = fc.tuple(fc.integer({ min: start, max: cookie.length - 1 }), fc.constantFrom(...letters));
  await fc.assert(
    fc.asyncProperty(changed, async ([index, letter]) => {
      fc.pre(cookie[index] !== letter);
      expect(await identify(cookie.slice(0, index) + letter + cookie.slice(index + 1))).toHaveProperty('refused');
    }),
    { numRuns: 400 },
  );
  for (const letter of letters.slice(0, 64))
    if (!cookie.endsWith(letter)) expect(await identify(cookie.slice(0, -1) + letter)).toHaveProperty('refused');
});

test('an invalid cookie is anonymous, and duplicate cookies are rejected', async () => {
  const { browser, identify } = await loggedIn();
  const [name, encrypted] = browser.cookie.split('=');
  for (const cookie of [
    '',
    ';;;',
    `${name}=`,
    `${name}=x.y.z`,
    `other=${encrypted}`,
    `${browser.cookie}; ${name}=evil`,
  ])
    expect(await identify(cookie)).toHaveProperty('refused');
  expect(await identify(`theme=dark; ${browser.cookie}; lang=en`)).toHaveProperty('caller');
});

test('an encrypted login state is not a session', async () => {
  const { identity, routes } = service();
  const browser = new Browser(routes);
  await browser.request('GET', '/login');
  const encrypted = browser.cookies.get('pinion-login-0');
  expect(await identity.authenticate({ cookie: `pinion-session-0=${encrypted}` })).toHaveProperty('refused');
});

test('a bearer token takes precedence over a session', async () => {
  const { browser } = await loggedIn();
  const { identity } = service();
  const credentials = { cookie: browser.cookie, authorization: 'Bearer of.bad.news' };
  expect(await identity.authenticate(credentials)).toHaveProperty('refused');
});

test('a session holds a few hundred groups in several cookies, and not more', async () => {
  const groups = (count: number) => Array.from({ length: count }, (_, nth) => `department-${nth}-developers`);
  const userInGroups = (sub: string, count: number) => ({ sub, name: sub, email: '', groups: groups(count) });
  const users = [userInGroups('many', 250), userInGroups('all', 1_000)];
  const issuer = await LocalIssuer.start({ users });
  try {
    issuer.registerClient({ id: 'pinion-page', redirectUri: callback });
    const session = { issuer: issuer.url, clientId: 'pinion-page', publicUrl, keysFile: '/keys' };
    const fixture = makeIdentity(
      { issuers: [issuerInput({ issuer: issuer.url })], session },
      { sessionKeys: () => keys },
    );
    const many = await loggedIn('many', fixture);
    expect(many.browser.cookies.size).toBeGreaterThan(1);
    for (const value of many.browser.cookies.values()) expect(value.length).toBeLessThan(4_000);
    expect(await many.identify()).toMatchObject({ caller: { groups: expect.arrayContaining(groups(250)) } });
    const [, second] = many.browser.cookies.keys();
    many.browser.cookies.delete(second ?? '');
    expect(await many.identify()).toHaveProperty('refused');
    const all = await loggedIn('all', fixture);
    expect(all.response).toMatchObject({
      status: 403,
      body: expect.stringContaining('more groups than a session can hold'),
    });
  } finally {
    await issuer.stop();
  }
});
