import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { flameHtml, flameSvg, type Frame } from '../../lib/etcd';

/** DOM types for the functions that run in the browser: this project does not include the DOM library. */
interface Box {
  readonly x: number;
  readonly width: number;
}
interface BrowserElement {
  getBoundingClientRect(): { readonly right: number };
  querySelector(selector: string): { getBBox(): Box } | null;
}
declare const document: {
  readonly documentElement: { readonly scrollWidth: number };
  getElementById(id: string): BrowserElement | null;
  querySelectorAll(selector: string): Iterable<BrowserElement>;
};
declare const getComputedStyle: (element: unknown) => {
  readonly color: string;
  readonly backgroundColor: string;
  readonly fontSize: string;
};

const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** Folder for screenshots. @default - none are saved */
const screenshots = process.env['PINION_SCREENSHOTS'];
const mebibyte = 1024 * 1024;

const leaf = (name: string, live: number, history = 0): Frame => ({ name, live, history, children: [] });
const parent = (name: string, children: readonly Frame[]): Frame => ({
  name,
  live: children.reduce((sum, { live }) => sum + live, 0),
  history: children.reduce((sum, { history }) => sum + history, 0),
  children,
});

/** A key space of a few resources, in which one ConfigMap of the namespace hog is large. */
const small = parent('all keys', [
  parent(
    'pods',
    ['shop', 'bank', 'search'].map((space, at) =>
      parent(space, [leaf(`${space}-0`, (3 - at) * mebibyte, mebibyte), leaf('(smaller objects)', 4 * mebibyte)]),
    ),
  ),
  parent('configmaps', [
    parent('hog', [leaf('the-large-one', 3 * mebibyte, 9 * mebibyte)]),
    parent('shop', [leaf('settings', mebibyte)]),
  ]),
  parent('events', [leaf('(smaller objects)', 2 * mebibyte)]),
]);

/** 100,000 frames: 100 resources of 10 namespaces of 99 objects. */
const large = parent(
  'all keys',
  Array.from({ length: 100 }, (_, resource) =>
    parent(
      `resource-${resource}`,
      Array.from({ length: 10 }, (__, space) =>
        parent(
          `namespace-${space}`,
          Array.from({ length: 99 }, (___, object) =>
            leaf(`object-${resource}-${space}-${object}`, 1000 + ((resource * 7 + object) % 50) * 40, object * 3),
          ),
        ),
      ),
    ),
  ),
);

if (!existsSync(program)) test.skip(`flame graphs in a browser (skipped: there is no ${program})`, () => undefined);
else
  describe('flame graphs in a real browser', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-pictures-'));
    let browser: Browser;
    let page: Page;
    const pageErrors: string[] = [];

    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: program,
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ],
      });
    }, 60_000);
    afterAll(async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }, 30_000);
    beforeEach(async () => {
      pageErrors.length = 0;
      page = await browser.newPage({ viewport: { width: 1200, height: 700 } });
      page.on('pageerror', (error) => pageErrors.push(error.message));
      page.on('console', (message) => message.type() === 'error' && pageErrors.push(message.text()));
    });
    afterEach(async () => {
      await page.close();
      expect(pageErrors).toEqual([]);
    });

    async function open(name: string, text: string): Promise<void> {
      writeFileSync(join(folder, name), text);
      await page.goto(pathToFileURL(join(folder, name)).href);
    }
    async function screenshot(name: string): Promise<void> {
      if (screenshots === undefined) return;
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name}.png`) });
    }
    const frame = (name: string) => page.getByRole('treeitem', { name, exact: true });
    const widthOf = async (name: string): Promise<number> => (await frame(name).first().boundingBox())?.width ?? 0;

    /** Returns the minimum contrast of text and background over all frames, as WCAG 2 defines it. */
    const minContrast = () =>
      page.evaluate(() => {
        const luminance = (color: string): number => {
          const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
            const value = Number(part) / 255;
            return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const contrasts = [...document.querySelectorAll('.frame')].map((element) => {
          const { color, backgroundColor } = getComputedStyle(element);
          const [a, b] = [luminance(color), luminance(backgroundColor)];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        });
        return Math.min(...contrasts);
      });

    test('frame labels are readable in light and dark mode, and widths are proportional to bytes', async () => {
      await open('small.html', flameHtml(small, 'backup.db'));
      await screenshot('small');
      expect(await page.locator('.frame').count()).toBe(18);
      expect(await minContrast()).toBeGreaterThan(7);
      const share = (9 + 3) / ((small.live + small.history) / mebibyte);
      expect((await widthOf('the-large-one')) / (await widthOf('all keys'))).toBeCloseTo(share, 2);
      const height = await frame('hog').evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
      expect(height).toBeGreaterThanOrEqual(12);
      await page.emulateMedia({ colorScheme: 'dark' });
      await screenshot('small-dark');
      expect(await minContrast()).toBeGreaterThan(7);
    });

    test('a click zooms, Escape resets, arrow keys navigate, and the hovered frame shows its details', async () => {
      await open('small.html', flameHtml(small, 'backup.db'));
      const fullWidth = await widthOf('all keys');
      await frame('hog').click();
      expect(await widthOf('the-large-one')).toBeCloseTo(fullWidth, 0);
      expect(await frame('pods').count()).toBe(0);
      await screenshot('zoomed');
      await page.keyboard.press('ArrowDown');
      expect(await page.locator('#detail').textContent()).toMatch(
        /^configmaps \/ hog \/ the-large-one: 12\.0 MiB, 33\.3 % of total/,
      );
      await page.keyboard.press('Escape');
      expect(await frame('pods').count()).toBe(1);
      await frame('bank-0').hover();
      expect(await page.locator('#detail').textContent()).toMatch(/^pods \/ bank \/ bank-0: 3\.0 MiB/);
    });

    test('a search shows the number, size and location of matches', async () => {
      await open('small.html', flameHtml(small, 'backup.db'));
      await page.keyboard.press('/');
      await page.keyboard.type('Shop');
      expect(await page.locator('#found').textContent()).toMatch(
        /^2 matches, 9\.0 MiB, 25\.0 %; press Enter to go to the next match$/,
      );
      expect(await page.locator('.match').allTextContents()).toEqual(expect.arrayContaining(['shop', 'shop-0']));
      await screenshot('search');
      expect(await minContrast()).toBeGreaterThan(7);
      // Ancestors and descendants of a match are not dimmed.
      expect(await page.locator('.other').allTextContents()).not.toEqual(expect.arrayContaining(['pods', 'all keys']));
      await page.keyboard.press('Enter');
      expect(await page.locator('#detail').textContent()).toMatch(/^pods \/ shop: 8\.0 MiB/);
      await page.keyboard.press('Enter');
      expect(await page.locator('#detail').textContent()).toMatch(/^configmaps \/ shop: 1\.0 MiB/);
      expect(await frame('settings').count()).toBe(1);
      await page.keyboard.press('Escape');
      expect(await page.locator('.other').count()).toBe(0);
    });

    test('a diff and a profile have their own labels and colors', async () => {
      const withBefore = (one: Frame): Frame => ({ ...one, before: one.live, children: one.children.map(withBefore) });
      await open('diff.html', flameHtml(withBefore(small), 'yesterday.db to backup.db'));
      expect(await page.textContent('p')).toContain('red has grown');
      await screenshot('difference');
      expect(await minContrast()).toBeGreaterThan(7);
      const subject = {
        unit: 'nanoseconds',
        hasHistory: false,
        label: 'Calls',
        legend: 'Widths are time',
        comparedLegend: '',
      } as const;
      await open(
        'profile.html',
        flameHtml(
          parent('all', [parent('net/http.(*conn).serve', [leaf('main.list', 3e9), leaf('(itself)', 1e9)])]),
          'cpu',
          subject,
        ),
      );
      await screenshot('profile');
      expect(await page.locator('#detail').textContent()).toBe('all: 4.00 s, 100.0 % of total');
      expect(await minContrast()).toBeGreaterThan(7);
    });

    test('draws only the visible part of 100,000 frames, and zooms to a leaf', async () => {
      await open('large.html', flameHtml(large, 'large.db'));
      const drawn = await page.locator('.frame').count();
      expect(drawn).toBeGreaterThan(1_000);
      expect(drawn).toBeLessThan(5_000);
      await screenshot('large');
      // Even the narrowest frame stays within the graph.
      const outside = await page.evaluate(() => {
        const graph = document.getElementById('graph')?.getBoundingClientRect().right ?? 0;
        return [...document.querySelectorAll('.frame')].filter((one) => one.getBoundingClientRect().right > graph + 0.5)
          .length;
      });
      expect(outside).toBe(0);
      expect(await widthOf('resource-7')).toBeLessThan(13);
      await frame('resource-7').click();
      await frame('namespace-3').click();
      await frame('object-7-3-40').click();
      expect(await page.locator('#detail').textContent()).toMatch(/^resource-7 \/ namespace-3 \/ object-7-3-40: /);
      await screenshot('large-zoomed');
      await page.keyboard.press('/');
      await page.keyboard.type('object-99-9-98');
      expect(await page.locator('#found').textContent()).toMatch(/^1 match,.*; press Enter to go to it$/);
      // A match that is too narrow to draw is zoomed to.
      await page.keyboard.press('Enter');
      expect(await page.locator('.match').allTextContents()).toEqual(['object-99-9-98']);
      await screenshot('large-found');
      await page.keyboard.press('Escape');
      await page.locator('#reset').click();
      expect(await page.locator('.frame').count()).toBe(drawn);
    }, 60_000);

    test('fits the width of a phone', async () => {
      await page.setViewportSize({ width: 360, height: 700 });
      await open(
        'small.html',
        flameHtml(small, 'a-rather-long-name-of-a-snapshot-of-a-member-2026-11-21T17:00:00Z.db'),
      );
      await screenshot('phone');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    });

    test('the SVG without scripts shows the same frames', async () => {
      await open('small.svg', flameSvg(small, 'backup.db'));
      await screenshot('svg');
      const texts = await page.locator('text').allTextContents();
      expect(texts).toEqual(expect.arrayContaining(['pods', 'configmaps', 'the-large-one']));
      // Labels stay within their frames.
      const overflow = await page.evaluate(
        () =>
          [...document.querySelectorAll('g')].filter((group) => {
            const [rect, text] = [group.querySelector('rect'), group.querySelector('text')];
            return (
              rect && text && text.getBBox().x + text.getBBox().width > rect.getBBox().x + rect.getBBox().width + 1
            );
          }).length,
      );
      expect(overflow).toBe(0);
    });
  });
