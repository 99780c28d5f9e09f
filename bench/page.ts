import { startBrowser, reasonWithoutBrowser } from '../test/page/browser';
import { startPageServer } from '../test/page/page-server';
import { makeSampleData } from '../test/page/sample-data';
import { measureList, measureStaticRows } from '../test/page/measure-list';
import { median, ratio } from './ratio';

/** Number of listed workloads; the goals apply to this number. */
const workloads = Number(process.argv[2] ?? 5000);
const rounds = 5;

/**
 * Opens and scrolls the list of workloads in Chromium, several times, each in a window without a cache; and in each
 * round
 * a static page of rows without scripts. On a busy machine the tasks of both are delayed alike; their CPU time is not
 * affected.
 */
async function main(): Promise<void> {
  const skipReason = reasonWithoutBrowser();
  if (skipReason !== undefined) {
    console.log(`SKIPPED: ${skipReason}`);
    return;
  }
  const service = await startPageServer(makeSampleData(workloads));
  const browser = await startBrowser();
  try {
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const page = await browser.open();
      await page.goto(`${service.url}/login?return=/`);
      const listTiming = await measureList(page, service.url, workloads);
      const staticTiming = await measureStaticRows(page, listTiming.steps);
      await page.context().close();
      console.log(
        `${workloads} workloads: painted after ${listTiming.painted.toFixed(0)} ms, all loaded ${listTiming.complete.toFixed(0)} ms later; ` +
          `scrolling: longest task ${listTiming.longestTask.toFixed(0)} ms (${staticTiming.longestTask.toFixed(0)} ms without a script), ` +
          `CPU time ${listTiming.longestWork.toFixed(1)} ms (${staticTiming.longestWork.toFixed(1)} ms), ` +
          `longest frame ${listTiming.longestFrame.toFixed(0)} ms (${staticTiming.longestFrame.toFixed(0)} ms)`,
      );
      results.push({ ...listTiming, processorRatio: listTiming.longestWork / staticTiming.longestWork });
    }
    ratio('page-first-rows-ms', median(results, ({ painted }) => painted).painted, '<=', 1000);
    ratio('page-longest-task-ms', median(results, ({ longestTask }) => longestTask).longestTask, '<=', 100);
    ratio('page-longest-task-processor-ms', median(results, ({ longestWork }) => longestWork).longestWork, '<=', 50);
    ratio(
      'page-longest-task-processor-to-static-rows',
      median(results, ({ processorRatio }) => processorRatio).processorRatio,
      '<=',
      1,
    );
  } finally {
    await browser.close();
    await service.close();
  }
}

void main();
