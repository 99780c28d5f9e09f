import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { type KubeClient } from '../../lib/kube';
import { examineIdentity, examineSessionKeys, knownIdentity } from '../../lib/submission/identity/index';
import { realClock } from '../kube/real-clock';
import { LocalIssuer } from '../local/issuer/local-issuer';

const places = [process.env['PINION_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executablePath = places.find((place) => place !== undefined && existsSync(place));
const why = executablePath === undefined ? ' (skipped: no Chromium was found; install the package chromium)' : '';

// To a browser, localhost and 127.0.0.1 are two sites, as the service and its issuer are.
(why === '' ? describe : describe.skip)(`a login in a real browser${why}`, () => {
  let issuer: LocalIssuer;
  let server: Server;
  let browser: Browser;
  let publicUrl: string;
  let respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Pages of the service that were asked for, and as whom. */
  const asked: string[] = [];

  beforeAll(async () => {
    issuer = await LocalIssuer.start();
    server = createServer((request, response) => void respond(request, response));
    await new Promise<void>((ready) => server.listen(0, 'localhost', ready));
    publicUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
    issuer.admit({ id: 'page', redirectUri: `${publicUrl}/auth/callback` });
    const { settings } = examineIdentity({
      issuers: [{ issuer: issuer.url, audience: 'api', usernamePrefix: '-' }],
      session: { issuer: issuer.url, clientId: 'page', publicUrl, keysFile: '/keys' },
    });
    const { keys = [] } = examineSessionKeys(randomBytes(32).toString('base64'));
    if (!settings) throw new Error('the settings of the test are wrong');
    const client = {} as KubeClient;
    const { identity, routes } = knownIdentity({ settings, clock: realClock, client, sessionKeys: () => keys });
    respond = async ({ method, url = '', headers: { cookie } }, response) => {
      const { pathname, search } = new URL(url, publicUrl);
      const route = routes.find((each) => each.method === method && each.path === pathname);
      const who = await identity.callerOf({ cookie });
      if (pathname !== '/favicon.ico')
        asked.push(`${method} ${pathname} ${'caller' in who ? who.caller.subject : 'nobody'}`);
      const form = '<form method="post" action="/auth/logout"><button>Log out</button></form>';
      const page = { status: 200, headers: { 'content-type': 'text/html' }, body: form };
      const answer = route ? await route.handle({ query: search.slice(1), cookie }) : page;
      for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
      response.writeHead(answer.status).end(answer.body);
    };
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await issuer.stop();
  });

  test('the first page after it has the session already, no script sees it, and logging out ends it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${publicUrl}/auth/login?return=/projects/shop`);
    await page.getByRole('button', { name: /^Ada/ }).click();
    await page.waitForURL(`${publicUrl}/projects/shop`);
    expect(asked).toEqual(['GET /auth/login nobody', 'GET /auth/callback nobody', 'GET /projects/shop ada']);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await context.cookies()).toMatchObject([{ name: 'pinion-session-0', httpOnly: true, sameSite: 'Strict' }]);
    await page.getByRole('button').click();
    await page.waitForURL(`${publicUrl}/`);
    expect(asked.slice(-2)).toEqual(['POST /auth/logout ada', 'GET / nobody']);
    expect(await context.cookies()).toEqual([]);
  });

  test('a page of another site can neither use a session nor end it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${publicUrl}/auth/login`);
    await page.getByRole('button', { name: /^Ben/ }).click();
    await page.waitForURL(`${publicUrl}/`);
    for (const path of ['/auth/logout', '/v1/deployments']) {
      await page.goto(`${issuer.url}/keys`);
      await page.setContent(`<form method="post" action="${publicUrl}${path}"><button>Win a prize</button></form>`);
      await Promise.all([page.waitForURL(`${publicUrl}/**`), page.getByRole('button').click()]);
      expect(asked).toContain(`POST ${path} nobody`);
    }
    expect(await context.cookies()).toMatchObject([{ name: 'pinion-session-0' }]);
  });
});
