import { startBrowser, reasonWithoutBrowser } from '../test/page/browser';
import { startPageServer } from '../test/page/page-server';
import { makeSampleData } from '../test/page/sample-data';
import { measureList, measureStaticRows } from '../test/page/measure-list';
import { median, ratio } from './ratio';

/** Number of listed workloads; the goals are for this number. */
const workloads = Number(process.argv[2] ?? 5000);
const rounds = 5;

/**
 * Opens and scrolls the list of workloads in Chromium, several times, each in a window without a cache; and in each
 * round
 * a static page of rows without scripts. On a busy machine the tasks of both are delayed alike; their CPU time is not
 * affected.
 */
async function main(): Promise<void> {
  const lack = reasonWithoutBrowser();
  if (lack !== undefined) {
    console.log(`SKIPPED: ${lack}`);
    return;
  }
  const service = await startPageServer(makeSampleData(workloads));
  const browser = await startBrowser();
  try {
    const all = [];
    for (let round = 0; round < rounds; round++) {
      const page = await browser.open();
      await page.goto(`${service.url}/login?return=/`);
      const quick = await measureList(page, service.url, workloads);
      const plain = await measureStaticRows(page, quick.steps);
      await page.context().close();
      console.log(
        `${workloads} workloads: painted after ${quick.painted.toFixed(0)} ms, all loaded ${quick.complete.toFixed(0)} ms later; ` +
          `scrolling: longest task ${quick.longestTask.toFixed(0)} ms (${plain.longestTask.toFixed(0)} ms without a script), ` +
          `CPU time ${quick.longestWork.toFixed(1)} ms (${plain.longestWork.toFixed(1)} ms), ` +
          `longest frame ${quick.longestFrame.toFixed(0)} ms (${plain.longestFrame.toFixed(0)} ms)`,
      );
      all.push({ ...quick, besides: quick.longestWork / plain.longestWork });
    }
    ratio('page-first-rows-ms', median(all, ({ painted }) => painted).painted, '<=', 1000);
    ratio('page-longest-task-ms', median(all, ({ longestTask }) => longestTask).longestTask, '<=', 100);
    ratio('page-longest-task-processor-ms', median(all, ({ longestWork }) => longestWork).longestWork, '<=', 50);
    ratio('page-longest-task-processor-to-static-rows', median(all, ({ besides }) => besides).besides, '<=', 1);
  } finally {
    await browser.close();
    await service.close();
  }
}

void main();
