import { type BrowserContextOptions, type Page } from 'playwright-core';
import { reasonWithoutBrowser, startBrowser, type TestBrowser, violationsOn } from '../page/browser';
import { startPageServer } from '../page/page-server';
import { type PageService } from '../page/page-service';
import { makeSampleData, type SampleData } from '../page/sample-data';

/** Browser of a suite, and fake services that implement the deployment API and serve the page to it. */
export class PageSuite {
  /** Service with sample data, new for each test. */
  service = undefined as unknown as PageService;
  #browser = undefined as unknown as TestBrowser;
  readonly #services: PageService[] = [];
  readonly #pages: Page[] = [];

  /** Serves the page from a server that implements the deployment API. */
  async serve(sample: SampleData): Promise<PageService> {
    const pageService = await startPageServer(sample);
    this.#services.push(pageService);
    return pageService;
  }

  /** Opens a window whose violations of the content security policy are not checked, and which the test closes. */
  openUnchecked(options: BrowserContextOptions = {}): Promise<Page> {
    return this.#browser.open(options);
  }

  /** Opens a window without a session. */
  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.openUnchecked(options);
    this.#pages.push(page);
    return page;
  }

  /** Opens a view in a window with a session. */
  async signIn(service: PageService, hash: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(options);
    await page.goto(`${service.url}/login?return=${encodeURIComponent(`/${hash}`)}`);
    return page;
  }

  async startBrowser(): Promise<void> {
    this.#browser = await startBrowser();
  }

  async closeBrowser(): Promise<void> {
    await this.#browser.close();
  }

  /** Closes all windows and services; returns violations of the content security policy and errors of the services. */
  async closeAll(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const page of this.#pages.splice(0)) {
      problems.push(...(await violationsOn(page)));
      await page.context().close();
    }
    for (const pageService of this.#services.splice(0)) {
      problems.push(...pageService.faults);
      await pageService.close();
    }
    return problems;
  }
}

/** Defines a suite with a browser; skipped where there is none. */
export function describePage(title: string, define: (suite: PageSuite) => void): void {
  const skipReason = reasonWithoutBrowser();
  if (skipReason !== undefined) process.stderr.write(`e2e: SKIPPED ${title}: ${skipReason}\n`);
  (skipReason === undefined ? describe : describe.skip)(title, () => {
    const suite = new PageSuite();
    beforeAll(() => suite.startBrowser());
    beforeEach(async () => {
      suite.service = await suite.serve(makeSampleData());
    });
    afterEach(async () => expect(await suite.closeAll()).toEqual([]));
    afterAll(() => suite.closeBrowser());
    define(suite);
  });
}
