import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Where a Chromium may be: the one that is named, then those that distributions install. */
const places = [
  process.env['PINION_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const program = places.find((place) => place !== undefined && existsSync(place));

/** Why no browser can be had; undefined where one can. */
export const reasonWithoutBrowser = (): string | undefined =>
  program === undefined
    ? 'no Chromium was found; install the package chromium, or name one in PINION_CHROMIUM'
    : undefined;

/** A browser of its own, whose contexts tell what is wrong with a page. */
export interface TestBrowser {
  /** Opens a window in which nobody is signed in yet. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  readonly close: () => Promise<void>;
}

/** Starts a browser that asks nothing but what it is told to. */
export async function startBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: program ?? '', args: [...quiet] });
  return {
    open: async (options = {}) => {
      const own = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options });
      await own.addInitScript(noteViolations);
      const page = await own.newPage();
      page.setDefaultTimeout(20_000);
      return page;
    },
    close: () => browser.close(),
  };
}

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;

const noteViolations = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
`;

/** What the policy of the page has kept from being done there. */
export const violationsOn = (page: Page): Promise<readonly string[]> => page.evaluate('window.violations');

const pictures = join(__dirname, '..', '..', 'build', 'page-screenshots');

/** Keeps a picture of a page. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}
