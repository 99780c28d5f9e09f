import { type Page } from 'playwright-core';

/** How quick the list of workloads is, in milliseconds. */
export interface Quickness {
  /** From the request for the page until the first rows were painted. */
  readonly painted: number;
  /** From there until all rows are known. */
  readonly complete: number;
  /** The longest task while the whole list was scrolled through; 0 where none took 50 ms. */
  readonly longestTask: number;
  /** The longest time between two frames while it was scrolled through. */
  readonly longestFrame: number;
}

/** Opens the list of workloads and scrolls through all of it. @param url - The page, where somebody is signed in. */
export async function measureList(page: Page, url: string, count: number): Promise<Quickness> {
  await page.addInitScript(watchRows);
  await page.goto(`${url}/#/workloads`);
  await page.reload();
  await page.waitForSelector(`[role=grid][aria-rowcount="${count + 1}"]`);
  const known: number = await page.evaluate('performance.now()');
  const painted: number = await page.evaluate('window.rowsPainted');
  const scrolled: { longestTask: number; longestFrame: number } = await page.evaluate(scrollThrough);
  return { painted, complete: known - painted, ...scrolled };
}

/** Notes when a frame with rows in it was painted: the task after that frame begins once it was handed over. */
const watchRows = `
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

/** Scrolls in steps of half of what shows, one each frame, from the first row to the last. */
const scrollThrough = `(async () => {
  let longestTask = 0;
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
  });
  tasks.observe({ entryTypes: ['longtask'] });
  const list = document.getElementById('rows');
  let longestFrame = 0;
  let last = await new Promise(requestAnimationFrame);
  while (list.scrollTop + list.clientHeight < list.scrollHeight - 1) {
    list.scrollTop += list.clientHeight / 2;
    const now = await new Promise(requestAnimationFrame);
    longestFrame = Math.max(longestFrame, now - last);
    last = now;
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  tasks.disconnect();
  return { longestTask, longestFrame };
})()`;
