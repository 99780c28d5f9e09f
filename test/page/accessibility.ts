import { readFileSync } from 'node:fs';
import { type Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Loads axe into a page. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe);
}

/** Returns serious and critical findings of axe with their location. */
export const accessibilityFindings = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`axe.run(document).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
