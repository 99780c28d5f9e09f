import { type WorkloadView } from '../../lib/contract';
import { startApp } from '../../lib/page/app';
import { allOf, FakeBrowser } from './fake-browser';
import { makeSampleData } from './sample-data';

const [cart, other] = makeSampleData(2).workloads as [WorkloadView, WorkloadView];
/** A workload that the service never sends; the page must still handle it. */
const unrenderable = { ...cart, ready: false, cause: null as never } satisfies WorkloadView;

describe('a page with data that it cannot render', () => {
  let browser: FakeBrowser;
  beforeEach(async () => {
    browser = new FakeBrowser('#/workloads', { workloads: [unrenderable, other] });
    startApp(browser);
    await browser.settle();
  });

  test('shows an error, and offers to reload', () => {
    expect(browser.text).toMatch(/^This view could not be displayed.*Reload the page/);
    const [button] = browser.shown.slice(-1).flatMap((page) => allOf(page, 'button'));
    button?.props.on?.click?.();
    expect(browser.reloads).toBe(1);
  });

  test('logs each error once', async () => {
    const before = browser.reported.length;
    expect(before).toBeGreaterThan(0);
    expect(browser.reported[0]).toBeInstanceOf(TypeError);
    await browser.stream({ type: 'workload', workload: { ...other, progress: '1/3 ready' } });
    expect(browser.reported).toHaveLength(before + 1);
  });

  test('renders again with the next change that it can render', async () => {
    await browser.stream({ type: 'workload', workload: { ...other, progress: '1/3 ready' } });
    expect(browser.text).toMatch(/^This view could not be displayed/);
    await browser.stream({ type: 'workload', workload: { ...cart, progress: '2/3 ready' } });
    expect(browser.text).toMatch(/2 workloads.*2\/3 ready/);
    expect(browser.text).not.toMatch(/could not be displayed/);
  });
});
