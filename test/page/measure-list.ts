import { type Page } from 'playwright-core';

/** Longest tasks of a page's main thread while its list scrolls, in milliseconds. */
export interface ScrollTimes {
  /** Wall-clock duration, including preemption by other threads. */
  readonly longestTask: number;
  /** Maximum CPU time of a task. */
  readonly longestWork: number;
  /** Longest time between two frames. */
  readonly longestFrame: number;
  /** Number of scroll steps, one per frame. */
  readonly steps: number;
}

/** Load times of the list of workloads, in milliseconds. */
export interface ListTimes extends ScrollTimes {
  /** From the request of the page until the first rows were painted. */
  readonly painted: number;
  /** From then until all rows are loaded. */
  readonly complete: number;
}

/** Opens the list of workloads and scrolls through all of it. @param page - A page that is signed in. */
export async function measureList(page: Page, url: string, count: number): Promise<ListTimes> {
  await page.addInitScript(recordFirstRows);
  await page.goto(`${url}/#/workloads`);
  await page.reload();
  await page.waitForSelector(`[role=grid][aria-rowcount="${count + 1}"]`);
  const loaded: number = await page.evaluate('performance.now()');
  const painted: number = await page.evaluate('window.rowsPainted');
  return { painted, complete: loaded - painted, ...(await measureScroll(page)) };
}

/** Rows of a page without scripts: with far more, the browser takes too long for layout and paint. */
const staticCount = 500;

/**
 * Scrolls in the same number of steps through a static page of rows like those of the list, wrapping at its end: the
 * baseline cost of the browser on this machine. The list must be visible.
 */
export async function measureStaticRows(page: Page, steps: number): Promise<ScrollTimes> {
  const html: string = await page.evaluate(staticRows(staticCount));
  const other = await page.context().newPage();
  await other.setContent(html);
  await other.waitForSelector(`[aria-rowindex="${staticCount + 1}"]`, { state: 'attached' });
  const measured = await measureScroll(other, steps);
  await other.close();
  return measured;
}

/** @param steps - Number of scroll steps. @default - as many as it takes to reach the end */
async function measureScroll(page: Page, steps = 0): Promise<ScrollTimes> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'] });
  const scroll: Pick<ScrollTimes, 'longestFrame' | 'steps'> = await page.evaluate(scrollThrough(steps));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const [begin, end] = ['scroll begins', 'scroll ends'].map((name) => traceEvents.find((event) => event.name === name));
  if (!begin || !end) throw new Error('the trace does not show that the list was scrolled');
  const tasks = traceEvents.filter(
    ({ name, ts, pid, tid }) =>
      name === 'RunTask' && pid === begin.pid && tid === begin.tid && ts >= begin.ts && ts <= end.ts,
  );
  const longest = (duration: (task: TraceEvent) => number): number =>
    tasks.reduce((found, task) => Math.max(found, duration(task) / 1000), 0);
  return { longestTask: longest(({ dur = 0 }) => dur), longestWork: longest(({ tdur = 0 }) => tdur), ...scroll };
}

/** An event of a trace; its times are in microseconds, and `tdur` is its CPU time. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/** Records when a frame with rows was painted: the task after that frame starts once that frame is committed. */
const recordFirstRows = `
  const seen = new MutationObserver(() => {
    if (!document.querySelector('.grid-row')) return;
    seen.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { window.rowsPainted = performance.now(); };
      port2.postMessage('');
    });
  });
  seen.observe(document, { childList: true, subtree: true });
`;

/** Scrolls in steps of half the viewport, one per frame, to the last row, or for the given number of steps. */
const scrollThrough = (most: number): string => `(async () => {
  const list = document.getElementById('rows');
  const isAtEnd = () => list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
  let longestFrame = 0;
  let steps = 0;
  let last = await new Promise(requestAnimationFrame);
  performance.mark('scroll begins');
  while (${most} ? steps < ${most} : !isAtEnd()) {
    steps += 1;
    list.scrollTop = isAtEnd() ? 0 : list.scrollTop + list.clientHeight / 2;
    const now = await new Promise(requestAnimationFrame);
    longestFrame = Math.max(longestFrame, now - last);
    last = now;
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  performance.mark('scroll ends');
  return { longestFrame, steps };
})()`;

/** Repeats the visible rows until there are the given number of rows, with the style sheet of the list. */
const staticRows = (count: number): string => `(async () => {
  const style = await (await fetch(document.querySelector('link[rel=stylesheet]').href)).text();
  const page = document.querySelector('.frame').cloneNode(true);
  const body = page.querySelector('.grid-body');
  const rows = [...body.children];
  const { height } = document.querySelector('.grid-row').getBoundingClientRect();
  body.style.height = ${count} * height + 'px';
  body.removeAttribute('aria-owns');
  body.replaceChildren(...Array.from({ length: ${count} }, (_, index) => {
    const row = rows[index % rows.length].cloneNode(true);
    row.id = 'row-' + index;
    row.setAttribute('aria-rowindex', index + 2);
    row.style.transform = 'translateY(' + index * height + 'px)';
    return row;
  }));
  return '<!doctype html><html lang="en"><style>' + style + '</style><div id="page">' + page.outerHTML + '</div></html>';
})()`;
