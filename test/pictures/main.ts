import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cause } from '../../lib/contract';
import { ContractServer, type RecordedRequest, token } from '../contract/contract-server';
import { reasonWithoutBrowser, startBrowser } from '../page/browser';
import { startPageServer } from '../page/page-server';
import { type RequestInput, fakeResponses } from '../page/fake-responses';
import { idOf, makeSampleData, sampleNow } from '../page/sample-data';
import { overviewSvg } from './overview-svg';
import { terminalSvg } from './terminal-svg';

const root = join(__dirname, '../..');
const folder = join(root, 'docs/images');
const program = join(root, 'build/bin/pinion.js');

/** Cause whose line fits a terminal. */
const shortCause: Cause = { owner: 'capacity', reason: 'Unschedulable', message: 'no node has 4 GPUs free' };

/** Writes a picture, limited in size because every clone downloads it. */
function write(name: string, content: string | Uint8Array): void {
  const size = Buffer.byteLength(content);
  if (size > 200_000) throw new Error(`docs/images/${name} has ${size} bytes; keep it below 200000`);
  writeFileSync(join(folder, name), content);
  console.log(`docs/images/${name}: ${Math.ceil(size / 1000)} kB`);
}

/** Draws a terminal with `pinion status` of a service with the same sample as the page. */
async function statusPicture(): Promise<string> {
  const sample = makeSampleData(24);
  const isHere = ({ target }: { readonly target: string }): boolean => target === 'use1-prod';
  const brief = <T extends { readonly cause?: Cause | undefined }>(one: T): T =>
    one.cause ? { ...one, cause: shortCause } : one;
  const data = {
    ...sample,
    projects: sample.projects.filter(isHere),
    workloads: sample.workloads.filter(isHere).map(brief),
    deployments: sample.deployments.map(brief),
  };
  const response = (name: 'projects' | 'workloads' | 'deployments') => (request: RecordedRequest) => ({
    value: fakeResponses[name](data, { ...request, query: request.query as RequestInput['query'] }),
  });
  const service = await new ContractServer().start({
    projects: response('projects'),
    workloads: response('workloads'),
    deployments: response('deployments'),
  });
  const env = { PATH: process.env['PATH'], PINION_SERVER: service.url, PINION_TOKEN: token };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'status'], { env });
    return terminalSvg('pinion status', `$ pinion status\n${stdout}`);
  } finally {
    await service.stop();
  }
}

/** Takes a screenshot of the submission page: a deployment that was rolled back, with its cause. */
async function pagePicture(): Promise<Uint8Array> {
  const service = await startPageServer(makeSampleData());
  const browser = await startBrowser();
  try {
    const page = await browser.open({ viewport: { width: 1280, height: 860 }, timezoneId: 'UTC' });
    await page.clock.setFixedTime(sampleNow);
    await page.goto(`${service.url}/login?return=${encodeURIComponent(`/#/deployments/${idOf(4)}`)}`);
    await page.waitForSelector('.log li');
    return await page.screenshot();
  } finally {
    await browser.close();
    await service.close();
  }
}

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  write('overview.svg', overviewSvg());
  write('status.svg', await statusPicture());
  const skipReason = reasonWithoutBrowser();
  if (skipReason !== undefined) throw new Error(`no picture of the page: ${skipReason}`);
  write('page.png', await pagePicture());
}

void main();
