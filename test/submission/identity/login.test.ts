import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  safeParseSessionKeys,
  type KnownIdentityOptions,
  type RouteResponse,
} from '../../../lib/submission/identity/index';
import { returnUrl } from '../../../lib/submission/identity/return-path';
import { createSigningKey, signToken } from '../../local/issuer/signing-keys';
import { Browser } from './browser';
import { at, issuerInput, makeIdentity } from './identity-fixture';

jest.setTimeout(60_000);

const publicUrl = 'http://127.0.0.1:8080';
const clientId = 'pinion-page';
const { keys = [] } = safeParseSessionKeys(randomBytes(32).toString('base64'));

let failures: string[];
beforeEach(() => {
  failures = [];
  at.issuer.registerClient({ id: clientId, redirectUri: `${publicUrl}/login/callback` });
});

const service = (more: Partial<KnownIdentityOptions> = {}) =>
  makeIdentity(
    { issuers: [issuerInput()], session: { issuer: at.issuer.url, clientId, publicUrl, keysFile: '/keys' } },
    { sessionKeys: () => keys, onLoginFailure: (code) => void failures.push(code), ...more },
  );

/** Returns a browser that the issuer is about to redirect back. */
async function returningBrowser(query = '', { routes } = service()) {
  const browser = new Browser(routes);
  const { headers } = await browser.ask('GET', `/login${query}`);
  return { browser, routes, back: await browser.logInAt(`${headers['location']}`, 'ada') };
}

/** Asserts that login failed, with a page that contains none of the input. */
function expectRefusal(answer: RouteResponse, browser: Browser, status: number, code: string): void {
  expect(answer).toMatchObject({ status, body: expect.stringMatching(/Not logged in.*href="\/login"/s) });
  expect(failures.at(-1)).toBe(code);
  expect([...browser.cookies.keys()].filter((name) => name.includes('session'))).toEqual([]);
}

test('a replayed callback is rejected, by the same replica and by the issuer at another one', async () => {
  const { browser, back, routes } = await returningBrowser();
  const stolen = new Map(browser.cookies);
  expect(await browser.ask('GET', back)).toMatchObject({ status: 200 });
  for (const [replica, status, code] of [
    [routes, 400, 'replayed'],
    [service().routes, 403, 'invalid_grant'],
  ] as const) {
    const again = new Browser(replica);
    for (const [name, value] of stolen) again.cookies.set(name, value);
    expectRefusal(await again.ask('GET', back), again, status, code);
  }
});

test('a callback in a browser without a pending login is rejected: no login as another user', async () => {
  const { back } = await returningBrowser();
  const victim = new Browser(service().routes);
  expectRefusal(await victim.ask('GET', back), victim, 400, 'not-begun');
});

test('a callback of another login is rejected, and does not break the pending one', async () => {
  const attacker = await returningBrowser();
  const victim = await returningBrowser();
  expectRefusal(await victim.browser.ask('GET', attacker.back), victim.browser, 400, 'other-state');
  expect(await victim.browser.ask('GET', victim.back)).toMatchObject({ status: 200 });
});

test("another login's code with one's own state is rejected by PKCE", async () => {
  const attacker = await returningBrowser();
  const victim = await returningBrowser();
  const mixed = new URL(victim.back);
  mixed.searchParams.set('code', new URL(attacker.back).searchParams.get('code') ?? '');
  expectRefusal(await victim.browser.ask('GET', mixed.href), victim.browser, 403, 'invalid_grant');
});

test.each([
  ['names another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example.com'), 400],
  ['names no issuer', (url: URL) => url.searchParams.delete('iss'), 400],
  ['has no code', (url: URL) => url.searchParams.delete('code'), 400],
  ['has two states', (url: URL) => url.searchParams.append('state', 'more'), 400],
  ['has an invented code', (url: URL) => url.searchParams.set('code', 'planted-secret'), 403],
])('a callback that %s is rejected', async (_, change, status) => {
  const { browser, back } = await returningBrowser();
  const url = new URL(back);
  change(url);
  const answer = await browser.ask('GET', url.href);
  expectRefusal(answer, browser, status, failures.at(-1) ?? '');
  expect(`${answer.body}${failures.join()}`).not.toContain('planted-secret');
});

test('a user that the issuer denies gets our own error message', async () => {
  const { browser, back } = await returningBrowser();
  const url = new URL(back);
  url.searchParams.delete('code');
  url.searchParams.set('error', 'access_denied');
  url.searchParams.set('error_description', '<script>alert(1)</script>');
  const answer = await browser.ask('GET', url.href);
  expectRefusal(answer, browser, 403, 'access_denied');
  expect(answer.body).not.toMatch(/script|alert/);
});

test('a login that takes more than ten minutes has to be restarted', async () => {
  const { browser, back } = await returningBrowser();
  at.clock.turn(600_000);
  expectRefusal(await browser.ask('GET', back), browser, 400, 'not-begun');
});

test('an unavailable issuer is reported, before and after the redirect', async () => {
  const service1 = service();
  at.issuer.isUnreachable = true;
  const early = new Browser(service1.routes);
  expectRefusal(await early.ask('GET', '/login'), early, 503, 'issuer-away');
  at.issuer.isUnreachable = false;
  const { browser, back } = await returningBrowser('', service1);
  at.issuer.isUnreachable = true;
  expectRefusal(await browser.ask('GET', back), browser, 503, 'issuer-away');
});

test('a login token with a key that the issuer does not list is rejected', async () => {
  const { browser, back } = await returningBrowser();
  const { key } = at.issuer;
  const createToken = jest.spyOn(at.issuer, 'createToken').mockImplementation(async (claims, terms) => {
    return signToken(claims, {
      issuer: at.issuer.url,
      now: Date.now(),
      ...terms,
      key: await createSigningKey(key.kid),
    });
  });
  expectRefusal(await browser.ask('GET', back), browser, 403, 'token-refused');
  createToken.mockRestore();
});

test('the service authenticates with its client secret if it has one, which is never shown', async () => {
  const secret = 'planted-secret-of-the-client';
  at.issuer.registerClient({ id: clientId, redirectUri: `${publicUrl}/login/callback`, secret });
  const { browser, back } = await returningBrowser('', service({ clientSecret: secret }));
  expect(await browser.ask('GET', back)).toMatchObject({ status: 200 });
  for (const wrong of [{}, { clientSecret: 'planted-secret-that-is-wrong' }]) {
    const other = await returningBrowser('', service(wrong));
    const answer = await other.browser.ask('GET', other.back);
    expectRefusal(answer, other.browser, 403, failures.at(-1) ?? '');
    expect(`${JSON.stringify(answer)}${failures.join()}`).not.toContain('planted');
  }
});

const returned = async (path: string): Promise<string> => {
  const { browser, back } = await returningBrowser(`?${new URLSearchParams({ return: path })}`);
  const place = /content="0;url=([^"]*)"/.exec((await browser.ask('GET', back)).body)?.[1] ?? '';
  return place.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
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
])('a login with the return path %j leads to %s', async (path, place) => {
  expect(await returned(path)).toBe(place);
});

test('a login never leads to another site', () => {
  const part = fc.constantFrom('/', '\\', '//', '.', '..', '@', ':', '?', '#', '%2f', '\t', 'evil.example.com', 'a');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const place = returnUrl(parts.join(''), publicUrl);
      expect(new URL(place).origin).toBe(publicUrl);
      expect(place.startsWith(`${publicUrl}/`)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
