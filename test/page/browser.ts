import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Paths of Chromium: the configured one, then those of distributions. */
const places = [
  process.env['PINION_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const program = places.find((place) => place !== undefined && existsSync(place));

/** Returns why no browser is available; undefined where one is. */
export const reasonWithoutBrowser = (): string | undefined =>
  program === undefined ? 'no Chromium was found; install the package chromium, or set PINION_CHROMIUM' : undefined;

/** A browser of its own, with contexts that report errors of a page. */
export interface TestBrowser {
  /** Opens a window without a session. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  readonly close: () => Promise<void>;
}

/** Starts a browser without background requests. */
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

/** Returns the violations of the page's content security policy. */
export const violationsOn = (page: Page): Promise<readonly string[]> => page.evaluate('window.violations');

const pictures = join(__dirname, '..', '..', 'build', 'page-screenshots');

/** Saves a screenshot of a page. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}
