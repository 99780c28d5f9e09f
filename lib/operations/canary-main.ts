#!/usr/bin/env node
import { type Clock } from '../kube';
import { canaryProcess } from './canary/canary-process';
import { missingVariables, startSubject } from './canary/canary-subject';

const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
const write = (line: string): void => void process.stdout.write(line);

/** `run` is the canary; `serve` and `work` are what it deploys: one image, so that nothing else has to be kept. */
async function main(word: string | undefined): Promise<void> {
  if (word === 'serve') {
    const server = await startSubject(process.env);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => server.close(() => process.exit(0)));
    return;
  }
  if (word === 'work') {
    const missing = missingVariables(process.env);
    if (missing.length > 0) write(`missing: ${missing.join(', ')}\n`);
    process.exitCode = missing.length > 0 ? 1 : 0;
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  process.exitCode = await canaryProcess({ environment: process.env, clock, fetch, signal: stop.signal, write });
}

void main(process.argv[2]);
