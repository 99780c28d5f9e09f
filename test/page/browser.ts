import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Paths of Chromium: the configured one, then those of distributions. */
const executablePaths = [
  process.env['PINION_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const program = executablePaths.find((path) => path !== undefined && existsSync(path));

/** Returns why no browser is available; undefined if one is. */
export const reasonWithoutBrowser = (): string | undefined =>
  program === undefined ? 'no Chromium was found; install the package chromium, or set PINION_CHROMIUM' : undefined;

/** Separate browser, whose windows record violations of the content security policy. */
export interface TestBrowser {
  /** Opens a window without a session. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  readonly close: () => Promise<void>;
}

/** Starts a browser without background requests. */
export async function startBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: program ?? '', args: [...chromiumArgs] });
  return {
    open: async (options = {}) => {
      const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options });
      await context.addInitScript(recordViolations);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      return page;
    },
    close: () => browser.close(),
  };
}

const chromiumArgs = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;

const recordViolations = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
`;

/** Returns the violations of the page's content security policy. */
export const violationsOn = (page: Page): Promise<readonly string[]> => page.evaluate('window.violations');

const screenshots = join(__dirname, '..', '..', 'build', 'page-screenshots');

/** Saves a screenshot of a page. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}
