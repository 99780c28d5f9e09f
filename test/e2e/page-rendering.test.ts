import { accessibilityFindings, loadAxe } from '../page/accessibility';
import { saveScreenshot } from '../page/browser';
import { hostileText, makeHostileData } from '../page/hostile-data';
import { measureList } from '../page/measure-list';
import { pageViews } from '../page/page-views';
import { idOf, makeSampleData } from '../page/sample-data';
import { describePage } from './page-suite';

describePage('rendering of the page', (suite) => {
  test('hostile text in every field stays text and does not overflow the page', async () => {
    const hostile = await suite.serve(makeHostileData());
    const [workload] = makeHostileData().workloads;
    const detail = `#/workloads/${workload?.project}/${workload?.target}/${workload?.kind}/${encodeURIComponent(workload?.name ?? '')}`;
    const page = await suite.signIn(hostile, '#/', { viewport: { width: 320, height: 640 } });
    for (const [hash, selector] of [
      ['#/', '.project'],
      ['#/workloads', '.grid-row'],
      [detail, '.children'],
      ['#/deployments', '.rows li'],
      [`#/deployments/${idOf(1)}`, '.log li'],
      ['#/rollouts', 'tbody tr'],
    ] as const) {
      await page.goto(`${hostile.url}/${hash}`);
      await page.locator(selector).first().waitFor();
      const text: string = await page.evaluate('document.body.textContent');
      expect(text).toContain(hostileText);
      expect(
        await page.evaluate(
          `document.querySelectorAll('#page img, #page script, #page [href^="javascript" i], #page [href^="data" i]').length`,
        ),
      ).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      await saveScreenshot(page, `hostile-${selector.replace(/\W+/g, '')}`);
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
      const page = await suite.signIn(suite.service, '#/', {
        colorScheme,
        viewport: { width, height },
        reducedMotion: 'reduce',
      });
      await loadAxe(page);
      for (const [name, { hash, shows: selector }] of Object.entries(pageViews)) {
        await page.goto(`${suite.service.url}/${hash}`);
        await page.locator(selector).first().waitFor();
        await saveScreenshot(page, `${name}-${colorScheme}-${width}`);
        expect([name, await accessibilityFindings(page)]).toEqual([name, []]);
        expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
      }
      await page.goto(`${suite.service.url}/#/deployments/${idOf(6)}`);
      await page.getByRole('button', { name: 'Cancel deployment…' }).click();
      expect(['confirmation', await accessibilityFindings(page)]).toEqual(['confirmation', []]);
    },
  );

  test('on a phone the resource amounts of a preview fit the width, each with its label', async () => {
    const page = await suite.signIn(suite.service, pageViews.deploy.hash, {
      viewport: { width: 360, height: 740 },
      isMobile: true,
    });
    const row = page.getByRole('region', { name: 'Resources on use1-prod' }).getByRole('row', { name: /^CPU/ });
    await row.scrollIntoViewIfNeeded();
    await saveScreenshot(page, 'amounts-360');
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
    const many = await suite.serve(makeSampleData(5000));
    const page = await suite.signIn(many, '#/');
    const timing = await measureList(page, many.url, 5000);
    process.stderr.write(
      `e2e: 5,000 workloads painted after ${timing.painted.toFixed(0)} ms; while scrolling, longest task ${timing.longestTask.toFixed(0)} ms, longest frame ${timing.longestFrame.toFixed(0)} ms\n`,
    );
    const lastRow = page.locator('[aria-rowindex="5001"]');
    expect(await lastRow.isVisible()).toBe(true);
  });
});
