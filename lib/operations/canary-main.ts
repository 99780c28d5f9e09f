#!/usr/bin/env node
import type * as Cloud from '../cloud';
import { canaryProcess, type CanaryProcess } from './canary/canary-process';
import { missingVariables, startCanaryServer } from './canary/canary-server';
import { systemClock } from '../process';

// Loaded lazily: most runs use no bucket, and the AWS SDK is several times the size of the rest.
const openBucket: CanaryProcess['openBucket'] = (location) =>
  new (module.require('../cloud') as typeof Cloud).S3Objects(location);
const write = (line: string): void => void process.stdout.write(line);

/** Runs a subcommand: `run` is the canary; `serve` and `work` are its workloads, from the same image. */
async function main(subcommand: string | undefined): Promise<void> {
  if (subcommand === 'serve') {
    const server = await startCanaryServer(process.env);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => server.close(() => process.exit(0)));
    return;
  }
  if (subcommand === 'work') {
    const missing = missingVariables(process.env);
    if (missing.length > 0) write(`missing: ${missing.join(', ')}\n`);
    process.exitCode = missing.length > 0 ? 1 : 0;
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const { env: environment } = process;
  process.exitCode = await canaryProcess({
    environment,
    clock: systemClock,
    fetch,
    signal: stop.signal,
    write,
    openBucket,
  });
}

void main(process.argv[2]);
