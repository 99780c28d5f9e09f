import { startBrowser, reasonWithoutBrowser } from '../test/page/browser';
import { startContractServer } from '../test/page/contract-server';
import { makeSampleWorld } from '../test/page/sample-world';
import { measureList } from '../test/page/scrolling';
import { median, ratio } from './ratio';

/** Workloads that are listed; the goals are for so many. */
const workloads = Number(process.argv[2] ?? 5000);
const rounds = 5;

/** Opens and scrolls the list of workloads in Chromium, several times, each in a window without a cache. */
async function main(): Promise<void> {
  const lack = reasonWithoutBrowser();
  if (lack !== undefined) {
    console.log(`SKIPPED: ${lack}`);
    return;
  }
  const service = await startContractServer(makeSampleWorld(workloads));
  const browser = await startBrowser();
  try {
    const all = [];
    for (let round = 0; round < rounds; round++) {
      const page = await browser.open();
      await page.goto(`${service.url}/login?return=/`);
      const quick = await measureList(page, service.url, workloads);
      await page.context().close();
      console.log(
        `${workloads} workloads: painted after ${quick.painted.toFixed(0)} ms, all known ${quick.complete.toFixed(0)} ms later; ` +
          `scrolling: longest task ${quick.longestTask.toFixed(0)} ms, longest frame ${quick.longestFrame.toFixed(0)} ms`,
      );
      all.push(quick);
    }
    ratio('page-first-rows-ms', median(all, ({ painted }) => painted).painted, '<=', 1000);
    ratio('page-longest-task-ms', median(all, ({ longestTask }) => longestTask).longestTask, '<=', 100);
  } finally {
    await browser.close();
    await service.close();
  }
}

void main();
