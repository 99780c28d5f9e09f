import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Page } from 'playwright-core';
import { LocalSubmission } from '../local/local-submission';
import { accessibilityFindings, loadAxe } from '../page/accessibility';
import { saveScreenshot, reasonWithoutBrowser, startBrowser, type TestBrowser, violationsOn } from '../page/browser';
import { describePinion } from './pinion-suite';

const program = join(__dirname, '../../build/bin/pinion.js');
const workflow = `apiVersion: pinterest.com/v1
kind: Workflow
metadata: { name: web, namespace: storefront }
spec:
  workloads: { files: [cart.yaml] }
  stages: [{ name: production, targets: [local] }]
`;
const cart = `apiVersion: pinterest.com/v1
kind: PinterestService
metadata: { name: cart, namespace: storefront }
spec:
  template:
    spec:
      securityContext: { runAsUser: 65534, runAsGroup: 65534 }
      containers: [{ name: app, image: 'registry.example.com/cart@sha256:${'a'.repeat(64)}' }]
`;

const skipReason = reasonWithoutBrowser();
if (skipReason !== undefined)
  process.stderr.write(`e2e: SKIPPED the page of the submission service in a browser: ${skipReason}\n`);

describePinion('the page of the submission service on a cluster', (pinion) => {
  // A nested suite, whose hooks run before the cluster stops.
  (skipReason === undefined ? describe : describe.skip)('in a browser', () => {
    let browser: TestBrowser;
    let submission: LocalSubmission;
    let page: Page;
    beforeAll(async () => {
      submission = await LocalSubmission.start(pinion().cluster);
      browser = await startBrowser();
      page = await browser.open();
    }, 180_000);
    afterAll(async () => {
      await browser.close();
      await submission.stop();
    });

    const choose = async (version: string): Promise<void> => {
      await page.goto(`${submission.url}/#/deploy?project=storefront&version=${version}&stage=production`);
      await page.getByRole('heading', { name: 'Preview' }).waitFor();
    };

    test('a user signs in and sees the project with its quota', async () => {
      await page.goto(submission.url);
      await page.goto(`${submission.url}/login?return=${encodeURIComponent('/#/')}`);
      await page.getByRole('button', { name: /^Ben/ }).click();
      const storefront = page.getByRole('article').filter({ hasText: 'storefront' }).first();
      await storefront.waitFor();
      expect(await storefront.innerText()).toMatch(/20/);
      await page.waitForSelector('[data-connection=live]');
    });

    test('says that the Platform of the cluster has no rollouts', async () => {
      await page.getByRole('link', { name: 'Rollouts', exact: true }).click();
      await page.getByText('The Platform has no rollouts: its changes reach all workloads').waitFor();
      await page.getByRole('heading', { name: 'Cluster local' }).waitFor();
    });

    test('deploys a version and shows it become Ready', async () => {
      await page.goto(`${submission.url}/#/deploy`);
      await page.getByLabel('Project', { exact: true }).selectOption('storefront');
      await page.getByLabel('Version', { exact: true }).selectOption('1.0.0');
      await page.getByLabel('Stage', { exact: true }).selectOption('production');
      await page.getByRole('heading', { name: 'Preview' }).waitFor();
      await page.getByRole('button', { name: 'Deploy…' }).click();
      await page.getByRole('dialog').waitFor();
      await page.locator('#confirm').click();
      await page.getByText('All events are shown.').waitFor({ timeout: 60_000 });
      const diff = page.getByRole('region', { name: 'Changes' });
      await diff.getByText('No earlier deployment of this workflow was Ready in production.').waitFor();
      expect(await diff.innerText()).toMatch(/Created\s+cart service[\s\S]*Created\s+checkout service/);
      await saveScreenshot(page, 'real-deployment');
      expect(await pinion().read('PinterestService', 'storefront', 'cart')).toBeDefined();
    }, 120_000);

    test('shows with numbers why a version does not fit the quota', async () => {
      await choose('2.0.0');
      const report = await page.locator('.report').innerText();
      expect(report).toMatch(/pods/i);
      expect(report).toMatch(/20/);
      await saveScreenshot(page, 'real-refusal');
    });

    test('accepts a version that is published with the printed options', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'pinion-local-'));
      writeFileSync(join(folder, 'web.workflow.yaml'), workflow);
      writeFileSync(join(folder, 'cart.yaml'), cart);
      const environment = { PINION_SERVER: submission.url, PINION_TOKEN_FILE: submission.tokenFile };
      const run = (...argv: readonly string[]) =>
        promisify(execFile)(process.execPath, [program, ...argv], { cwd: folder, env: environment });
      const origin = [...submission.publishOptions, '--commit', '3f786850e387550fdab836ed7e6dc881de23001b'];
      await run('publish', ...origin, '--version', '1.2.0', 'web.workflow.yaml');
      const { stdout } = await run('diff', 'storefront/web@1.2.0', '--to', 'production');
      expect(stdout).toContain('storefront/web@1.2.0 to production: it would start now');
      rmSync(folder, { recursive: true });
    });

    test('violates no content security policy and has no serious accessibility finding', async () => {
      await loadAxe(page);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await violationsOn(page)).toEqual([]);
      expect(await page.evaluate('[document.cookie, localStorage.length, location.search]')).toEqual(['', 0, '']);
    });
  });
});
