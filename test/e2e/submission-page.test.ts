import { type Page } from 'playwright-core';
import { LocalSubmission } from '../local/local-submission';
import { accessibilityFindings, loadAxe } from '../page/accessibility';
import { saveScreenshot, reasonWithoutBrowser, startBrowser, type TestBrowser, violationsOn } from '../page/browser';
import { describePinion } from './pinion-suite';

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

    test('violates no content security policy and has no serious accessibility finding', async () => {
      await loadAxe(page);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await violationsOn(page)).toEqual([]);
      expect(await page.evaluate('[document.cookie, localStorage.length, location.search]')).toEqual(['', 0, '']);
    });
  });
});
