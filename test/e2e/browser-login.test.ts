import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { Registry } from 'prom-client';
import { type KubeClient } from '../../lib/kube';
import { type ExtraRoute } from '../../lib/submission/http/extra-route';
import { type HttpServer, startHttpServer } from '../../lib/submission/http/start-http-server';
import { safeParseIdentitySettings } from '../../lib/programs';
import { safeParseSessionKeys, createAuthenticator } from '../../lib/submission/identity';
import { type SubmissionService } from '../../lib/submission/service';
import { freePorts } from '../control-plane/ports';
import { realClock } from '../kube/real-clock';
import { LocalIssuer } from '../local/issuer/local-issuer';

const candidates = [process.env['PINION_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executablePath = candidates.find((candidate) => candidate !== undefined && existsSync(candidate));
const skipReason =
  executablePath === undefined ? ' (skipped: no Chromium was found; install the package chromium)' : '';

// A browser treats localhost and 127.0.0.1 as two sites, like the service and its issuer.
(skipReason === '' ? describe : describe.skip)(`login in a real browser${skipReason}`, () => {
  let issuer: LocalIssuer;
  let server: HttpServer;
  let browser: Browser;
  let publicUrl: string;

  beforeAll(async () => {
    issuer = await LocalIssuer.start();
    const [port = 0] = await freePorts(1);
    publicUrl = `http://localhost:${port}`;
    issuer.registerClient({ id: 'page', redirectUri: `${publicUrl}/login/callback` });
    const { settings } = safeParseIdentitySettings({
      issuers: [{ issuer: issuer.url, audience: 'api', usernamePrefix: '-' }],
      session: { issuer: issuer.url, clientId: 'page', publicUrl, keysFile: '/keys' },
    });
    const { keys = [] } = safeParseSessionKeys(randomBytes(32).toString('base64'));
    if (!settings) throw new Error('the test settings are invalid');
    const client = {} as KubeClient;
    const { identity, routes } = createAuthenticator({ settings, clock: realClock, client, sessionKeys: () => keys });
    const page: ExtraRoute = {
      method: 'GET',
      path: '/',
      handle: async () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>The page</h1>' }),
    };
    server = await startHttpServer({
      service: { unready: () => undefined } as SubmissionService,
      identity,
      clock: realClock,
      log: { info: () => undefined, error: () => undefined },
      audit: () => undefined,
      registry: new Registry(),
      host: 'localhost',
      port,
      statusPort: 0,
      origin: publicUrl,
      routes: [...(routes as readonly ExtraRoute[]), page],
    });
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await issuer.stop();
  });

  const currentUser = (page: Page): Promise<unknown> =>
    page.evaluate("fetch('/v1/me').then((answer) => answer.json())");

  async function logIn(userName: RegExp): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${publicUrl}/login?return=${encodeURIComponent('/#/projects/shop')}`);
    await page.getByRole('button', { name: userName }).click();
    await page.waitForURL(`${publicUrl}/#/projects/shop`);
    return page;
  }

  test('returns to the requested page after login, knows the user and hides the session from scripts', async () => {
    const page = await logIn(/^Ada/);
    expect(await currentUser(page)).toMatchObject({ subject: 'ada', kind: 'User', issuer: issuer.url });
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.context().cookies()).toMatchObject([
      { name: 'pinion-session-0', httpOnly: true, sameSite: 'Strict' },
    ]);
    await page.evaluate("fetch('/logout', { method: 'POST' }).then(({ status }) => status)");
    expect(await page.context().cookies()).toEqual([]);
    expect(await currentUser(page)).toMatchObject({ status: 401 });
  });

  test('does not let a page of another site use or end a session', async () => {
    const page = await logIn(/^Ben/);
    for (const path of ['/logout', '/v1/deployments']) {
      await page.goto(`${issuer.url}/keys`);
      await page.setContent(`<form method="post" action="${publicUrl}${path}"><button>Win a prize</button></form>`);
      const response = page.waitForResponse(`${publicUrl}${path}`);
      await page.getByRole('button').click();
      expect((await response).status()).toBe(path === '/logout' ? 403 : 401);
    }
    await page.goto(publicUrl);
    expect(await currentUser(page)).toMatchObject({ subject: 'ben' });
  });
});
