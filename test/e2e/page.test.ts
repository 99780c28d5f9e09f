import { type Page } from 'playwright-core';
import { accessibilityFindings, loadAxe } from '../page/accessibility';
import { saveScreenshot, violationsOn } from '../page/browser';
import { contentPolicy } from '../page/page-server';
import { pageViews } from '../page/page-views';
import { idOf, makeDeployment, makeSampleData } from '../page/sample-data';
import { describePage } from './page-suite';

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.id');
const isLive = (page: Page): Promise<unknown> => page.waitForSelector('[data-connection=live]');

describePage('the page in a browser', (suite) => {
  test('the overview shows what is not ready with cause and owner, and quotas in words', async () => {
    const page = await suite.signIn(suite.service, '#/');
    await page.getByRole('heading', { name: 'Projects on use1-prod' }).waitFor();
    expect(await page.title()).toBe('Overview – pinion');
    const notReady = page.getByRole('region', { name: 'Not ready' });
    expect(await notReady.innerText()).toMatch(/Cluster capacity\s+Unschedulable/);
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

  test('rollouts are reached from the banner and the navigation, and lead to a workload with its revision', async () => {
    const page = await suite.signIn(suite.service, '#/');
    const banner = page.getByRole('region', { name: 'Rollouts', exact: true });
    await banner.getByText('of the Platform on use1-prod').waitFor();
    expect(await banner.innerText()).toMatch(/Paused[\s\S]*wave early: 37 of 412 workloads completed, Stalled\./);
    await banner.getByRole('link', { name: 'Show rollouts on use1-prod' }).click();
    await page.getByRole('heading', { name: 'Rollouts of the Platform' }).waitFor();
    expect([await page.title(), await focused(page)]).toEqual(['Rollouts – pinion', 'title']);
    expect(await page.getByRole('link', { name: 'Rollouts', exact: true }).getAttribute('aria-current')).toBe('page');
    const wave = page.getByRole('region', { name: 'Waves on use1-prod' }).getByRole('row', { name: /^early/ });
    expect(await wave.innerText()).toMatch(/Progressing\s+25 of 80/);
    const transit = page.getByRole('region', { name: 'In transit (4)' });
    expect(await transit.innerText()).toContain('3 workloads of projects that you are not a member of');
    await transit.getByRole('link', { name: 'cart' }).click();
    await page.getByText('Will be moved').waitFor();
    expect(await page.locator('.description-list').innerText()).toMatch(
      /rev-41aa00ff93 \(the Platform has rev-5d0c1b2a3f\)[\s\S]*to rev-5d0c1b2a3f rollout-5d0c1b2a3f/,
    );
  });

  test('a list of 5,000 rows is navigated, searched and opened by keyboard, and restores its position on return', async () => {
    const page = await suite.signIn(await suite.serve(makeSampleData(5000)), '#/workloads');
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
    const page = await suite.signIn(suite.service, '#/deploy');
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
    expect(suite.service.received.filter(({ path }) => path === '/v1/deployments')).toEqual([]);
    await page.keyboard.press('Enter');
    await saveScreenshot(page, 'confirmation');
    await dialog.getByRole('button', { name: 'Deploy to prod' }).click();
    await page.getByRole('heading', { name: 'shop/cart 1.4.2 to prod' }).waitFor();
    const sent = suite.service.received.filter(({ path }) => path === '/v1/deployments');
    expect(sent).toEqual([
      {
        path: '/v1/deployments',
        idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        body: { artifact: 'shop/cart@1.4.2', stage: 'prod' },
      },
    ]);
    await page.waitForSelector('.log li');
    const id = idOf(7);
    suite.service.emitEvent(makeDeployment(7, { id, phase: 'progressing' }), {
      phase: 'progressing',
      target: 'use1-prod',
      message: '2 of 3 pods are ready.',
    });
    await page.locator('.log').getByText('2 of 3 pods are ready.').waitFor();
    suite.service.emitEvent(makeDeployment(7, { id }), { phase: 'ready', message: 'All is Ready.' });
    await page.getByText('All events are shown.').waitFor();
    // The phase arrives on the stream of the inventory, not on that of the deployment.
    await page.locator('.status').getByText('Ready', { exact: true }).waitFor();
    const announcement = page.locator('#announcement').getByText('Ready. All is Ready.', { exact: true });
    await announcement.waitFor({ state: 'attached' });
  });

  test('a request that is retried after lost responses is executed once', async () => {
    const page = await suite.signIn(suite.service, '#/deploy?project=shop&workflow=cart&version=1.4.2&stage=prod');
    await page.getByRole('button', { name: 'Deploy…' }).click();
    suite.service.dropResponses(2);
    await page.getByRole('button', { name: 'Deploy to prod' }).click();
    await page.getByRole('heading', { name: 'shop/cart 1.4.2 to prod' }).waitFor();
    const sent = suite.service.received.filter(({ path }) => path === '/v1/deployments');
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    await page.goto(`${suite.service.url}/#/deployments`);
    await page.locator('.rows li').nth(6).waitFor();
    expect(await page.locator('.rows li').count()).toBe(7);
  });

  test('a deployment that would be rejected shows numbers or problems and cannot be submitted', async () => {
    const page = await suite.signIn(suite.service, pageViews.deploy.hash);
    await page.getByText('Would be rejected').waitFor();
    expect(await page.locator('main').innerText()).toMatch(/Closest fit: 7 replicas instead of 13/);
    expect(await page.locator('#deploy').count()).toBe(0);
    await page.getByLabel('Version', { exact: true }).selectOption('1.4.0');
    await page.getByLabel('Stage', { exact: true }).selectOption('prod');
    await page.getByText('The deployment would be rejected: The stage does not accept this artifact.').waitFor();
    expect(await page.locator('.problems').innerText()).toMatch(
      /was published by commerce\/cart at refs\/heads\/hotfix[\s\S]*Fix: deploy an artifact of a trusted publisher/,
    );
    expect(await page.locator('#deploy').count()).toBe(0);
  });

  test('break-glass asks for a reason and is marked prominently before and after', async () => {
    const page = await suite.signIn(suite.service, pageViews.untrusted.hash);
    const breakGlass = page.getByLabel(/^Break-glass: bypass the trusted publishers of stage prod/);
    await breakGlass.check();
    await breakGlass.uncheck();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('The stage does not accept this artifact.').waitFor();
    await breakGlass.check();
    await page.getByLabel(/^Reason/).fill('Payments fail; the fix cannot wait.');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Deploy…' }).click();
    expect(await page.getByRole('dialog').innerText()).toMatch(
      /Break-glass: the trusted publishers of stage prod are bypassed/,
    );
    await page.getByRole('button', { name: 'Deploy to prod' }).click();
    await page.getByText('the trusted publishers of a protected stage were bypassed').waitFor();
    expect(await page.locator('.note.prominent').innerText()).toContain('Payments fail; the fix cannot wait.');
    expect(suite.service.received.at(-1)?.body).toMatchObject({ breakGlass: 'Payments fail; the fix cannot wait.' });
  });

  test('break-glass is offered only if the publisher is not trusted', async () => {
    const page = await suite.signIn(suite.service, '#/deploy?project=shop&workflow=cart&version=1.4.0&stage=staging');
    const breakGlass = page.getByLabel(/^Break-glass/);
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    expect(await breakGlass.count()).toBe(0);
    await page.getByLabel('Stage', { exact: true }).selectOption('prod');
    await breakGlass.check();
    await page.getByLabel(/^Reason/).fill('Payments fail; the fix cannot wait.');
    await page.getByLabel('Version', { exact: true }).selectOption('1.4.2');
    await page.getByLabel('Stage', { exact: true }).selectOption('prod');
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    expect(await breakGlass.count()).toBe(0);
    await page.getByRole('button', { name: 'Deploy…' }).click();
    expect(await page.getByRole('dialog').innerText()).not.toMatch(/Break-glass/);
    await page.getByRole('button', { name: 'Deploy to prod' }).click();
    await page.getByRole('heading', { name: 'shop/cart 1.4.2 to prod' }).waitFor();
    expect(suite.service.received.at(-1)?.body).toEqual({ artifact: 'shop/cart@1.4.2', stage: 'prod' });
  });

  test('a finished deployment shows its changes, or that its artifact is no longer available', async () => {
    const page = await suite.signIn(suite.service, `#/deployments/${idOf(3)}`);
    const diff = page.getByRole('region', { name: 'Changes' });
    await diff.getByText('Compared with shop/cart@1.4.1, the previous Ready version in prod.').waitFor();
    expect(await diff.innerText()).toMatch(
      /Changed\s+cart service[\s\S]*spec\.replicas\s+was\s+3 →\s+becomes\s+4[\s\S]*Removed\s+cart-backfill[\s\S]*1 workload unchanged/,
    );
    await page.goto(`${suite.service.url}/#/deployments/${idOf(1)}`);
    await diff.getByText('The artifact is no longer available').waitFor();
    await page.goto(`${suite.service.url}/#/deployments/${idOf(6)}`);
    await page.getByText('Queued').first().waitFor();
    await page.locator('.log li').nth(1).waitFor();
    expect(await diff.count()).toBe(0);
  });

  test('rolls back, approves and cancels a queued deployment', async () => {
    const page = await suite.signIn(suite.service, `#/deployments/${idOf(3)}`);
    await page.getByRole('link', { name: /^Roll back to 1\.4\.1/ }).click();
    await page.getByRole('button', { name: 'Roll back…' }).click();
    await page.getByRole('button', { name: 'Roll back in prod' }).click();
    await page.getByRole('heading', { name: 'Rollback of shop/cart to 1.4.1 in prod' }).waitFor();
    expect(suite.service.received.at(-1)).toEqual({
      path: '/v1/rollbacks',
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      body: { project: 'shop', workflow: 'cart', stage: 'prod', version: '1.4.1' },
    });
    await page.goto(`${suite.service.url}/${pageViews.deploy.hash}`);
    await page.getByRole('button', { name: 'Approve for prod…' }).click();
    await page.getByRole('button', { name: 'Approve for prod', exact: true }).click();
    await page.locator('.note').getByText('shop/cart@1.5.0 is approved for prod.').waitFor();
    await page.goto(`${suite.service.url}/#/deployments/${idOf(6)}`);
    await page.getByRole('button', { name: 'Cancel deployment…' }).click();
    await page.getByRole('button', { name: 'Cancel deployment', exact: true }).click();
    await page.locator('.status').getByText('Cancelled').waitFor();
  });

  test('shows changes at once and after a lost connection, and resumes a followed deployment', async () => {
    const sample = makeSampleData();
    const live = await suite.serve(sample);
    const [first] = sample.workloads;
    if (!first) throw new Error('the sample is empty');
    const page = await suite.signIn(live, '#/workloads?text=cart');
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
    live.emitEvent(progressing, { phase: 'progressing', message: 'Sent while disconnected.' });
    await page.locator('.log').getByText('Sent while disconnected.').waitFor();
    expect(await page.locator('.log li').count()).toBe(4);
  });

  test('reports a rendering error, and renders again after new data or a reload', async () => {
    const sample = makeSampleData();
    const live = await suite.serve(sample);
    const [first] = sample.workloads;
    if (!first) throw new Error('the sample is empty');
    const page = await suite.open();
    const invalid = { items: [{ ...first, ready: false, cause: null }] };
    await page.route('**/v1/workloads?*', (route) => route.fulfill({ json: invalid }));
    await page.goto(`${live.url}/login?return=${encodeURIComponent('/#/workloads')}`);
    await page.getByRole('alert').getByText('An internal error occurred in this page').waitFor();
    expect(await page.locator('body').innerText()).toContain('This view could not be displayed');
    await loadAxe(page);
    expect(await accessibilityFindings(page)).toEqual([]);
    await saveScreenshot(page, 'broken');
    live.change({ type: 'workload', workload: { ...first, progress: '2/3 ready' } });
    await page.locator('.grid-row').getByText('2/3 ready').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Reload the page' }).waitFor();
    await page.unroute('**/v1/workloads?*');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.waitForSelector(`[role=grid][aria-rowcount="${sample.workloads.length + 1}"]`);
  });

  test('shows that the user is signed out, and returns to the same view after signing in', async () => {
    const page = await suite.signIn(suite.service, '#/workloads?text=cart');
    await isLive(page);
    suite.service.endSessions();
    await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click();
    await page.locator('.grid-row').first().waitFor();
    await isLive(page);
    expect(page.url()).toBe(`${suite.service.url}/#/workloads?text=cart`);
    const anonymous = await suite.open();
    await anonymous.goto(suite.service.url);
    await anonymous.waitForSelector('[data-connection=signed-out]');
    await anonymous.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    expect(await anonymous.getByText('Loading').count()).toBe(0);
  });

  test('signing out leaves no data behind, and a failed sign-out is reported', async () => {
    const page = await suite.signIn(suite.service, '#/workloads');
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
    await page.goto(`${suite.service.url}/#/workloads`);
    await page.reload();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('.grid-row').first().waitFor();
  });

  test('enforces its content security policy, and stores nothing that scripts can read', async () => {
    const page = await suite.openUnchecked();
    const response = await page.goto(`${suite.service.url}/login?return=/`);
    expect(await response?.headerValue('content-security-policy')).toBe(contentPolicy);
    await isLive(page);
    const stored: unknown = await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
    expect(stored).toEqual([0, 0, '']);
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
});
