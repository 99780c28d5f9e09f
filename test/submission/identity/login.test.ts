import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { safeParseSessionKeys, type AuthenticatorOptions, type RouteResponse } from '../../../lib/submission/identity';
import { returnUrl } from '../../../lib/submission/identity/return-path';
import { createSigningKey, signToken } from '../../local/issuer/signing-keys';
import { Browser } from './browser';
import { testContext, issuerInput, makeIdentity } from './identity-fixture';

jest.setTimeout(60_000);

const publicUrl = 'http://127.0.0.1:8080';
const clientId = 'pinion-page';
const { keys = [] } = safeParseSessionKeys(randomBytes(32).toString('base64'));

let failures: string[];
beforeEach(() => {
  failures = [];
  testContext.issuer.registerClient({ id: clientId, redirectUri: `${publicUrl}/login/callback` });
});

const service = (overrides: Partial<AuthenticatorOptions> = {}) =>
  makeIdentity(
    { issuers: [issuerInput()], session: { issuer: testContext.issuer.url, clientId, publicUrl, keysFile: '/keys' } },
    { sessionKeys: () => keys, onLoginFailure: (code) => void failures.push(code), ...overrides },
  );

/** Returns a browser that the issuer is about to redirect back. */
async function returningBrowser(query = '', { routes } = service()) {
  const browser = new Browser(routes);
  const { headers } = await browser.request('GET', `/login${query}`);
  return { browser, routes, callbackUrl: await browser.logInAt(`${headers['location']}`, 'ada') };
}

/** Asserts that login failed, with a page that contains none of the input. */
function expectFailure(response: RouteResponse, browser: Browser, status: number, code: string): void {
  expect(response).toMatchObject({ status, body: expect.stringMatching(/Not logged in.*href="\/login"/s) });
  expect(failures.at(-1)).toBe(code);
  expect([...browser.cookies.keys()].filter((name) => name.includes('session'))).toEqual([]);
}

test('a replayed callback is rejected, by the same replica, and at another one by the issuer', async () => {
  const { browser, callbackUrl, routes } = await returningBrowser();
  const copiedCookies = new Map(browser.cookies);
  expect(await browser.request('GET', callbackUrl)).toMatchObject({ status: 200 });
  for (const [replica, status, code] of [
    [routes, 400, 'replayed'],
    [service().routes, 403, 'invalid_grant'],
  ] as const) {
    const replaying = new Browser(replica);
    for (const [name, value] of copiedCookies) replaying.cookies.set(name, value);
    expectFailure(await replaying.request('GET', callbackUrl), replaying, status, code);
  }
});

test('a callback in a browser without a pending login is rejected: no login as another user', async () => {
  const { callbackUrl } = await returningBrowser();
  const victim = new Browser(service().routes);
  expectFailure(await victim.request('GET', callbackUrl), victim, 400, 'not-begun');
});

test('a callback of another login is rejected, and does not break the pending one', async () => {
  const attacker = await returningBrowser();
  const victim = await returningBrowser();
  expectFailure(await victim.browser.request('GET', attacker.callbackUrl), victim.browser, 400, 'other-state');
  expect(await victim.browser.request('GET', victim.callbackUrl)).toMatchObject({ status: 200 });
});

test("the code of another login with the victim's own state is rejected by PKCE", async () => {
  const attacker = await returningBrowser();
  const victim = await returningBrowser();
  const mixed = new URL(victim.callbackUrl);
  mixed.searchParams.set('code', new URL(attacker.callbackUrl).searchParams.get('code') ?? '');
  expectFailure(await victim.browser.request('GET', mixed.href), victim.browser, 403, 'invalid_grant');
});

test.each([
  ['names another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example.com'), 400],
  ['names no issuer', (url: URL) => url.searchParams.delete('iss'), 400],
  ['has no code', (url: URL) => url.searchParams.delete('code'), 400],
  ['has two states', (url: URL) => url.searchParams.append('state', 'more'), 400],
  ['has an invented code', (url: URL) => url.searchParams.set('code', 'planted-secret'), 403],
])('a callback that %s is rejected', async (_, change, status) => {
  const { browser, callbackUrl } = await returningBrowser();
  const url = new URL(callbackUrl);
  change(url);
  const response = await browser.request('GET', url.href);
  expectFailure(response, browser, status, failures.at(-1) ?? '');
  expect(`${response.body}${failures.join()}`).not.toContain('planted-secret');
});

test('a user that the issuer denies gets an error message of the service', async () => {
  const { browser, callbackUrl } = await returningBrowser();
  const url = new URL(callbackUrl);
  url.searchParams.delete('code');
  url.searchParams.set('error', 'access_denied');
  url.searchParams.set('error_description', '<script>alert(1)</script>');
  const response = await browser.request('GET', url.href);
  expectFailure(response, browser, 403, 'access_denied');
  expect(response.body).not.toMatch(/script|alert/);
});

test('a login that takes more than ten minutes has to be restarted', async () => {
  const { browser, callbackUrl } = await returningBrowser();
  testContext.clock.turn(600_000);
  expectFailure(await browser.request('GET', callbackUrl), browser, 400, 'not-begun');
});

test('an unavailable issuer is reported, before and after the redirect', async () => {
  const service1 = service();
  testContext.issuer.isUnreachable = true;
  const earlyBrowser = new Browser(service1.routes);
  expectFailure(await earlyBrowser.request('GET', '/login'), earlyBrowser, 503, 'issuer-away');
  testContext.issuer.isUnreachable = false;
  const { browser, callbackUrl } = await returningBrowser('', service1);
  testContext.issuer.isUnreachable = true;
  expectFailure(await browser.request('GET', callbackUrl), browser, 503, 'issuer-away');
});

test('a login token with a key that the issuer does not list is rejected', async () => {
  const { browser, callbackUrl } = await returningBrowser();
  const { key } = testContext.issuer;
  const createToken = jest.spyOn(testContext.issuer, 'createToken').mockImplementation(async (claims, terms) => {
    return signToken(claims, {
      issuer: testContext.issuer.url,
      now: Date.now(),
      ...terms,
      key: await createSigningKey(key.kid),
    });
  });
  expectFailure(await browser.request('GET', callbackUrl), browser, 403, 'token-refused');
  createToken.mockRestore();
});

test('the service authenticates with its client secret if it has one, which is never shown', async () => {
  const secret = 'planted-secret-of-the-client';
  testContext.issuer.registerClient({ id: clientId, redirectUri: `${publicUrl}/login/callback`, secret });
  const { browser, callbackUrl } = await returningBrowser('', service({ clientSecret: secret }));
  expect(await browser.request('GET', callbackUrl)).toMatchObject({ status: 200 });
  for (const wrong of [{}, { clientSecret: 'planted-secret-that-is-wrong' }]) {
    const other = await returningBrowser('', service(wrong));
    const response = await other.browser.request('GET', other.callbackUrl);
    expectFailure(response, other.browser, 403, failures.at(-1) ?? '');
    expect(`${JSON.stringify(response)}${failures.join()}`).not.toContain('planted');
  }
});

const returnUrlOf = async (path: string): Promise<string> => {
  const { browser, callbackUrl } = await returningBrowser(`?${new URLSearchParams({ return: path })}`);
  const location = /content="0;url=([^"]*)"/.exec((await browser.request('GET', callbackUrl)).body)?.[1] ?? '';
  return location.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
};

test.each([
  ['/projects/shop?tab=quota#cpu', `${publicUrl}/projects/shop?tab=quota#cpu`],
  ['https://evil.example.com/', `${publicUrl}/`],
  ['//evil.example.com', `${publicUrl}/`],
  ['/\\evil.example.com', `${publicUrl}/`],
  ['/\t/evil.example.com', `${publicUrl}/`],
  ['/.//evil.example.com', `${publicUrl}//evil.example.com`],
  ['javascript:alert(1)', `${publicUrl}/`],
  ['/"><script>', `${publicUrl}/%22%3E%3Cscript%3E`],
])('a login with the return path %j leads to %s', async (path, location) => {
  expect(await returnUrlOf(path)).toBe(location);
});

test('a login never leads to another site', () => {
  const part = fc.constantFrom('/', '\\', '//', '.', '..', '@', ':', '?', '#', '%2f', '\t', 'evil.example.com', 'a');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const location = returnUrl(parts.join(''), publicUrl);
      expect(new URL(location).origin).toBe(publicUrl);
      expect(location.startsWith(`${publicUrl}/`)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
