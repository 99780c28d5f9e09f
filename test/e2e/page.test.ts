import { readFileSync } from 'node:fs';
import { type BrowserContextOptions, type Page } from 'playwright-core';
import { keepPicture, reasonWithoutBrowser, startBrowser, type TestBrowser, violationsOn } from '../page/browser';
import { contentPolicy, startPageServer } from '../page/page-server';
import { hostileText, makeHostileData } from '../page/hostile-data';
import { type PageService } from '../page/page-service';
import { idOf, makeDeployment, makeSampleData, type SampleData } from '../page/sample-data';
import { measureList } from '../page/measure-list';

const lack = reasonWithoutBrowser();
if (lack !== undefined) process.stderr.write(`e2e: SKIPPED the page in a browser: ${lack}\n`);

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Views with the selector that shows that they are rendered. */
const views = {
  overview: { hash: '#/', shows: '.project' },
  workloads: { hash: '#/workloads', shows: '.grid-row' },
  workload: { hash: '#/workloads/shop/use1-prod/PinterestService/cart', shows: '.children' },
  deployments: { hash: '#/deployments', shows: '.rows li' },
  deployment: { hash: `#/deployments/${idOf(4)}`, shows: '.log li' },
  deploy: { hash: '#/deploy?project=shop&version=1.5.0&stage=prod', shows: '.report' },
  untrusted: { hash: '#/deploy?project=shop&version=1.4.0&stage=prod', shows: '.problems' },
  rollback: { hash: '#/rollback?project=shop&workflow=cart&version=1.4.1&stage=prod', shows: '.report' },
  notFound: { hash: '#/else', shows: 'h1' },
} as const;

(lack === undefined ? describe : describe.skip)('the page in a browser', () => {
  let browser: TestBrowser;
  let service: PageService;
  const services: PageService[] = [];
  const pages: Page[] = [];

  /** Serves the page from a server that implements the contract. */
  const serve = async (sample: SampleData): Promise<PageService> => {
    const started = await startPageServer(sample);
    services.push(started);
    return started;
  };
  const signIn = async (at: PageService, hash: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await browser.open(options);
    pages.push(page);
    await page.goto(`${at.url}/login?return=${encodeURIComponent(`/${hash}`)}`);
    return page;
  };
  const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.id');
  const isLive = (page: Page): Promise<unknown> => page.waitForSelector('[data-connection=live]');

  beforeAll(async () => {
    browser = await startBrowser();
  });
  beforeEach(async () => {
    service = await serve(makeSampleData());
  });
  afterEach(async () => {
    const problems: string[] = [];
    for (const page of pages.splice(0)) {
      problems.push(...(await violationsOn(page)));
      await page.context().close();
    }
    for (const started of services.splice(0)) {
      problems.push(...started.faults);
      await started.close();
    }
    expect(problems).toEqual([]);
  });
  afterAll(() => browser.close());

  test('the overview shows what is not ready with cause and owner, and quotas in words', async () => {
    const page = await signIn(service, '#/');
    await page.getByRole('heading', { name: 'Projects on use1-prod' }).waitFor();
    expect(await page.title()).toBe('Overview – pinion');
    const troubles = page.getByRole('region', { name: 'Not ready' });
    expect(await troubles.innerText()).toMatch(/Cluster capacity\s+Unschedulable/);
    const ads = page.getByRole('article').filter({ hasText: 'ads-team' }).first();
    expect(await ads.innerText()).toMatch(
      /Nearly full\s*, full on 2 Dec 2026\s+91.5 cores used, 97 cores at peak, of 100 cores/,
    );
    expect(await ads.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe(
      'https://dash.example.com/ads',
    );
    await ads.getByRole('link', { name: /not ready/ }).click();
    await page.getByRole('heading', { name: 'Workloads' }).waitFor();
    expect(page.url()).toContain('#/workloads?project=ads&target=use1-prod&notReady=yes');
    expect(await focused(page)).toBe('title');
  });

  test('a list of 5,000 rows is navigated, searched and opened by keyboard, and restores its position on return', async () => {
    const page = await signIn(await serve(makeSampleData(5000)), '#/workloads');
    await page.waitForSelector('[role=grid][aria-rowcount="5001"]');
    expect(await page.locator('.grid-row').count()).toBeLessThan(60);
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('search');
    await page.keyboard.type('search-1');
    await page.waitForSelector('[role=grid]:not([aria-rowcount="5001"])');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('rows');
    await page.keyboard.press('End');
    const last = await page.locator('[role=grid]').getAttribute('aria-rowcount');
    const active = page.locator('.grid-row.active');
    expect(await active.getAttribute('aria-rowindex')).toBe(last);
    expect(await page.locator('#rows').getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
    expect(await active.isVisible()).toBe(true);
    const name = await active.locator('a').innerText();
    const [owned, rendered] = (await page.evaluate(`[
      document.querySelector('.grid-body').getAttribute('aria-owns').split(' ')
        .map((id) => Number(document.getElementById(id).getAttribute('aria-rowindex'))),
      [...document.querySelectorAll('.grid-row')].map((row) => Number(row.getAttribute('aria-rowindex'))),
    ]`)) as [readonly number[], readonly number[]];
    expect(owned).toEqual(rendered.toSorted((one, other) => one - other));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Objects' }).waitFor();
    expect(await page.locator('h1').innerText()).toContain(name);
    expect(await focused(page)).toBe('title');
    await page.goBack();
    await active.waitFor();
    expect(await focused(page)).toBe('rows');
    expect(await active.locator('a').innerText()).toBe(name);
    await page.getByLabel('Not ready only').check();
    await page.getByLabel('Kind', { exact: true }).selectOption('PinterestCronJob');
    expect(page.url()).toMatch(/notReady=yes&kind=PinterestCronJob/);
    await page.goBack();
    await page.goForward();
    await page.reload();
    await page.locator('.grid-row').first().waitFor();
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('search-1');
  });

  test('previews a version, asks for confirmation and follows the deployment until it is Ready', async () => {
    const page = await signIn(service, '#/deploy');
    await page.getByLabel('Project', { exact: true }).selectOption('shop');
    await page.getByLabel('Version', { exact: true }).selectOption('1.4.2');
    await page.getByLabel('Stage', { exact: true }).selectOption('prod');
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    const report = await page.getByRole('region', { name: 'On use1-prod', exact: true }).innerText();
    expect(report).toMatch(/spec\.replicas\s+was\s+3 →\s+becomes\s+4/);
    expect(report).toMatch(
      /Pods are replaced[\s\S]*Removed\s+cart-backfill[\s\S]*12 cores\s+9 cores\s+76 cores\s+100 cores\s+24 cores/,
    );
    await page.getByRole('button', { name: 'Deploy…' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Deploy shop/cart@1.4.2 to prod?' });
    await dialog.waitFor();
    expect(await focused(page)).toBe('dismiss');
    for (const expected of ['confirm', 'dismiss', 'confirm']) {
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe(expected);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('deploy');
    expect(service.received.filter(({ path }) => path === '/v1/deployments')).toEqual([]);
    await page.keyboard.press('Enter');
    await keepPicture(page, 'confirmation');
    await dialog.getByRole('button', { name: 'Deploy to prod' }).click();
    await page.getByRole('heading', { name: 'shop/cart 1.4.2 to prod' }).waitFor();
    const sent = service.received.filter(({ path }) => path === '/v1/deployments');
    expect(sent).toEqual([
      {
        path: '/v1/deployments',
        idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        body: { artifact: 'shop/cart@1.4.2', stage: 'prod' },
      },
    ]);
    await page.waitForSelector('.log li');
    const id = idOf(7);
    service.happen(makeDeployment(7, { id, phase: 'progressing' }), {
      phase: 'progressing',
      target: 'use1-prod',
      message: '2 of 3 pods are ready.',
    });
    await page.locator('.log').getByText('2 of 3 pods are ready.').waitFor();
    service.happen(makeDeployment(7, { id }), { phase: 'ready', message: 'All is Ready.' });
    await page.getByText('All events are shown.').waitFor();
    // The phase arrives on the stream of the inventory, not on that of the deployment.
    await page.locator('.status').getByText('Ready', { exact: true }).waitFor();
    const announcement = page.locator('#announcement').getByText('Ready. All is Ready.', { exact: true });
    await announcement.waitFor({ state: 'attached' });
  });

  test('a request that is retried after lost responses is executed once', async () => {
    const page = await signIn(service, '#/deploy?project=shop&workflow=cart&version=1.4.2&stage=prod');
    await page.getByRole('button', { name: 'Deploy…' }).click();
    service.loseAnswers(2);
    await page.getByRole('button', { name: 'Deploy to prod' }).click();
    await page.getByRole('heading', { name: 'shop/cart 1.4.2 to prod' }).waitFor();
    const sent = service.received.filter(({ path }) => path === '/v1/deployments');
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    await page.goto(`${service.url}/#/deployments`);
    await page.locator('.rows li').nth(6).waitFor();
    expect(await page.locator('.rows li').count()).toBe(7);
  });

  test('a deployment that would be rejected shows numbers or problems and cannot be submitted', async () => {
    const page = await signIn(service, views.deploy.hash);
    await page.getByText('Would be rejected').waitFor();
    expect(await page.locator('main').innerText()).toMatch(/Closest fit: 7 replicas instead of 13/);
    expect(await page.locator('#deploy').count()).toBe(0);
    await page.getByLabel('Version', { exact: true }).selectOption('1.4.0');
    await page.getByLabel('Stage', { exact: true }).selectOption('prod');
    await page.getByText('The deployment would be rejected: The stage does not accept this artifact.').waitFor();
    expect(await page.locator('.problems').innerText()).toMatch(
      /was published by commerce\/cart at refs\/heads\/hotfix[\s\S]*Fix: deploy what one of the publishers/,
    );
    expect(await page.locator('#deploy').count()).toBe(0);
  });

  test('break-glass asks for a reason and is marked prominently before and after', async () => {
    const page = await signIn(service, views.untrusted.hash);
    const offered = page.getByLabel(/^Break-glass: bypass the trusted publishers of stage prod/);
    await offered.check();
    await offered.uncheck();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('The stage does not accept this artifact.').waitFor();
    await offered.check();
    await page.getByLabel(/^Reason/).fill('Payments fail; the fix cannot wait.');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Deploy…' }).click();
    expect(await page.getByRole('dialog').innerText()).toMatch(
      /Break-glass: the trusted publishers of stage prod are bypassed/,
    );
    await page.getByRole('button', { name: 'Deploy to prod' }).click();
    await page.getByText('the trusted publishers of a protected stage were bypassed').waitFor();
    expect(await page.locator('.note.loud').innerText()).toContain('Payments fail; the fix cannot wait.');
    expect(service.received.at(-1)?.body).toMatchObject({ breakGlass: 'Payments fail; the fix cannot wait.' });
  });

  test('break-glass is offered only if the publisher is not trusted', async () => {
    const page = await signIn(service, '#/deploy?project=shop&workflow=cart&version=1.4.0&stage=staging');
    const offered = page.getByLabel(/^Break-glass/);
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    expect(await offered.count()).toBe(0);
    await page.getByLabel('Stage', { exact: true }).selectOption('prod');
    await offered.check();
    await page.getByLabel(/^Reason/).fill('Payments fail; the fix cannot wait.');
    await page.getByLabel('Version', { exact: true }).selectOption('1.4.2');
    await page.getByLabel('Stage', { exact: true }).selectOption('prod');
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    expect(await offered.count()).toBe(0);
    await page.getByRole('button', { name: 'Deploy…' }).click();
    expect(await page.getByRole('dialog').innerText()).not.toMatch(/Break-glass/);
    await page.getByRole('button', { name: 'Deploy to prod' }).click();
    await page.getByRole('heading', { name: 'shop/cart 1.4.2 to prod' }).waitFor();
    expect(service.received.at(-1)?.body).toEqual({ artifact: 'shop/cart@1.4.2', stage: 'prod' });
  });

  test('a finished deployment shows its changes, or that they are no longer kept', async () => {
    const page = await signIn(service, `#/deployments/${idOf(3)}`);
    const diff = page.getByRole('region', { name: 'Changes' });
    await diff.getByText('Compared with shop/cart@1.4.1, the previous Ready version in prod.').waitFor();
    expect(await diff.innerText()).toMatch(
      /Changed\s+cart service[\s\S]*spec\.replicas\s+was\s+3 →\s+becomes\s+4[\s\S]*Removed\s+cart-backfill[\s\S]*1 workload unchanged/,
    );
    await page.goto(`${service.url}/#/deployments/${idOf(1)}`);
    await diff.getByText('The artifact is no longer available').waitFor();
    await page.goto(`${service.url}/#/deployments/${idOf(6)}`);
    await page.getByText('Queued').first().waitFor();
    await page.locator('.log li').nth(1).waitFor();
    expect(await diff.count()).toBe(0);
  });

  test('rolls back, approves and cancels a queued deployment', async () => {
    const page = await signIn(service, `#/deployments/${idOf(3)}`);
    await page.getByRole('link', { name: /^Roll back to 1\.4\.1/ }).click();
    await page.getByRole('button', { name: 'Roll back…' }).click();
    await page.getByRole('button', { name: 'Roll back in prod' }).click();
    await page.getByRole('heading', { name: 'Rollback of shop/cart to 1.4.1 in prod' }).waitFor();
    expect(service.received.at(-1)).toEqual({
      path: '/v1/rollbacks',
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      body: { project: 'shop', workflow: 'cart', stage: 'prod', version: '1.4.1' },
    });
    await page.goto(`${service.url}/${views.deploy.hash}`);
    await page.getByRole('button', { name: 'Approve for prod…' }).click();
    await page.getByRole('button', { name: 'Approve for prod', exact: true }).click();
    await page.locator('.note').getByText('shop/cart@1.5.0 is approved for prod.').waitFor();
    await page.goto(`${service.url}/#/deployments/${idOf(6)}`);
    await page.getByRole('button', { name: 'Cancel deployment…' }).click();
    await page.getByRole('button', { name: 'Cancel deployment', exact: true }).click();
    await page.locator('.status').getByText('Cancelled').waitFor();
  });

  test('shows changes at once and after a lost connection, and resumes a followed deployment', async () => {
    const sample = makeSampleData();
    const live = await serve(sample);
    const [first] = sample.workloads;
    if (!first) throw new Error('the sample is empty');
    const page = await signIn(live, '#/workloads?text=cart');
    await isLive(page);
    const row = page.locator('.grid-row').filter({ has: page.getByRole('link', { name: 'cart', exact: true }) });
    live.change({ type: 'workload', workload: { ...first, progress: '2/3 ready' } });
    await row.getByText('2/3 ready').waitFor();
    live.breakStreams(1);
    await page.waitForSelector('[data-connection=reconnecting]');
    live.change({ type: 'workload', workload: { ...first, progress: '0/3 ready' } });
    await row.getByText('0/3 ready').waitFor();
    await isLive(page);
    live.change({
      type: 'workloadGone',
      workload: { project: first.project, target: first.target, kind: first.kind, name: first.name },
    });
    await row.waitFor({ state: 'detached' });

    await page.goto(`${live.url}/#/deployments/${idOf(5)}`);
    await page.locator('.log li').nth(2).waitFor();
    live.breakStreams();
    const progressing = sample.deployments.find(({ id }) => id === idOf(5));
    if (!progressing) throw new Error('the sample has no such deployment');
    live.happen(progressing, { phase: 'progressing', message: 'Sent while disconnected.' });
    await page.locator('.log').getByText('Sent while disconnected.').waitFor();
    expect(await page.locator('.log li').count()).toBe(4);
  });

  test('reports a rendering error, and renders again after new data or a reload', async () => {
    const sample = makeSampleData();
    const live = await serve(sample);
    const [first] = sample.workloads;
    if (!first) throw new Error('the sample is empty');
    const page = await browser.open();
    pages.push(page);
    const garbled = { items: [{ ...first, ready: false, cause: null }] };
    await page.route('**/v1/workloads?*', (route) => route.fulfill({ json: garbled }));
    await page.goto(`${live.url}/login?return=${encodeURIComponent('/#/workloads')}`);
    await page.getByRole('alert').getByText('An internal error occurred in this page').waitFor();
    expect(await page.locator('body').innerText()).toContain('This view could not be displayed');
    await page.evaluate(axe);
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'broken');
    live.change({ type: 'workload', workload: { ...first, progress: '2/3 ready' } });
    await page.locator('.grid-row').getByText('2/3 ready').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Reload the page' }).waitFor();
    await page.unroute('**/v1/workloads?*');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.waitForSelector(`[role=grid][aria-rowcount="${sample.workloads.length + 1}"]`);
  });

  test('shows that the user is signed out, and returns to the same view after signing in', async () => {
    const page = await signIn(service, '#/workloads?text=cart');
    await isLive(page);
    service.endSessions();
    await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click();
    await page.locator('.grid-row').first().waitFor();
    await isLive(page);
    expect(page.url()).toBe(`${service.url}/#/workloads?text=cart`);
    const anonymous = await browser.open();
    pages.push(anonymous);
    await anonymous.goto(service.url);
    await anonymous.waitForSelector('[data-connection=signed-out]');
    await anonymous.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(await anonymous.getByText('Loading').count()).toBe(0);
  });

  test('signing out leaves no data behind, and a failed sign-out is reported', async () => {
    const page = await signIn(service, '#/workloads');
    await isLive(page);
    await page.locator('.grid-row').first().waitFor();
    await page.route('**/logout', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('alert').getByText('you are still signed in').waitFor();
    expect(await page.locator('.grid-row').count()).toBeGreaterThan(0);
    await page.unroute('**/logout');
    await page.getByRole('button', { name: 'Sign out' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(await page.locator('.grid-row, .caller, #sign-out').count()).toBe(0);
    expect(await page.context().cookies()).toEqual([]);
    await page.goBack().catch(() => undefined);
    await page.goto(`${service.url}/#/workloads`);
    await page.reload();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('.grid-row').first().waitFor();
  });

  test('enforces its content security policy, and stores nothing that scripts can read', async () => {
    const page = await browser.open();
    const answer = await page.goto(`${service.url}/login?return=/`);
    expect(await answer?.headerValue('content-security-policy')).toBe(contentPolicy);
    await isLive(page);
    const kept: unknown = await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
    expect(kept).toEqual([0, 0, '']);
    expect(await violationsOn(page)).toEqual([]);
    await page.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 1';
      const picture = document.createElement('div');
      picture.innerHTML = '<img src="data:," onerror="window.hacked = 1">';
      document.body.append(script, picture);
    })()`);
    // An image reports its failure later than the script.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
    expect((await violationsOn(page)).length).toBeGreaterThanOrEqual(2);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.context().close();
  });

  test('hostile text in every field stays text and does not overflow the page', async () => {
    const hostile = await serve(makeHostileData());
    const [workload] = makeHostileData().workloads;
    const detail = `#/workloads/${workload?.project}/${workload?.target}/${workload?.kind}/${encodeURIComponent(workload?.name ?? '')}`;
    const page = await signIn(hostile, '#/', { viewport: { width: 320, height: 640 } });
    for (const [hash, shows] of [
      ['#/', '.project'],
      ['#/workloads', '.grid-row'],
      [detail, '.children'],
      ['#/deployments', '.rows li'],
      [`#/deployments/${idOf(1)}`, '.log li'],
    ] as const) {
      await page.goto(`${hostile.url}/${hash}`);
      await page.locator(shows).first().waitFor();
      const text: string = await page.evaluate('document.body.textContent');
      expect(text).toContain(hostileText);
      expect(
        await page.evaluate(
          `document.querySelectorAll('#page img, #page script, #page [href^="javascript" i], #page [href^="data" i]').length`,
        ),
      ).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      await keepPicture(page, `hostile-${shows.replace(/\W+/g, '')}`);
    }
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test.each([
    ['light', 1280, 800],
    ['dark', 1280, 800],
    ['light', 320, 640],
    ['dark', 320, 640],
  ] as const)(
    'no view has a serious accessibility finding in %s mode at %d pixels',
    async (colorScheme, width, height) => {
      const page = await signIn(service, '#/', { colorScheme, viewport: { width, height }, reducedMotion: 'reduce' });
      await page.evaluate(axe);
      for (const [name, { hash, shows }] of Object.entries(views)) {
        await page.goto(`${service.url}/${hash}`);
        await page.locator(shows).first().waitFor();
        await keepPicture(page, `${name}-${colorScheme}-${width}`);
        expect([name, await findings(page)]).toEqual([name, []]);
        expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
      }
      await page.goto(`${service.url}/#/deployments/${idOf(6)}`);
      await page.getByRole('button', { name: 'Cancel deployment…' }).click();
      expect(['confirmation', await findings(page)]).toEqual(['confirmation', []]);
    },
  );

  test('on a phone the resource amounts of a preview fit the width, each with its label', async () => {
    const page = await signIn(service, views.deploy.hash, { viewport: { width: 360, height: 740 }, isMobile: true });
    const row = page.getByRole('region', { name: 'Resources on use1-prod' }).getByRole('row', { name: /^CPU/ });
    await row.scrollIntoViewIfNeeded();
    await keepPicture(page, 'amounts-360');
    const shown: unknown = await page.evaluate(`[...document.querySelector('.amounts tbody tr').cells].map((cell) =>
      [getComputedStyle(cell, '::before').content.replace(/"/g, ''), cell.innerText])`);
    expect(shown).toEqual([
      ['none', 'CPU requests'],
      ['Requested', '40 cores'],
      ['Current', '9 cores'],
      ['Used by others', '76 cores'],
      ['Quota', '100 cores'],
      ['Available', '24 cores'],
      ['Fits', 'No'],
    ]);
    expect(await page.getByRole('table').first().getByRole('columnheader').count()).toBe(7);
    const tooWide: unknown = await page.evaluate(`[...document.querySelectorAll('.report, .report *')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline'
        && !one.closest('thead, .visually-hidden') && one.clientWidth > 0)
      .map((one) => one.className || one.tagName)`);
    expect(tooWide).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const small: unknown = await page.evaluate(`[...document.querySelectorAll('.amounts tbody *')]
      .map((one) => parseFloat(getComputedStyle(one).fontSize)).filter((size) => size < 12)`);
    expect(small).toEqual([]);
  });

  test('scrolls a list of 5,000 rows and prints its timing', async () => {
    const many = await serve(makeSampleData(5000));
    const page = await signIn(many, '#/');
    const timing = await measureList(page, many.url, 5000);
    process.stderr.write(
      `e2e: 5,000 workloads painted after ${timing.painted.toFixed(0)} ms; while scrolling, longest task ${timing.longestTask.toFixed(0)} ms, longest frame ${timing.longestFrame.toFixed(0)} ms\n`,
    );
    const lastRow = page.locator('[aria-rowindex="5001"]');
    expect(await lastRow.isVisible()).toBe(true);
  });
});

/** Returns serious and critical findings of axe with their location. */
const findings = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`axe.run(document).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
