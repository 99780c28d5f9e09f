#!/usr/bin/env node
import { collectDefaultMetrics, Registry } from 'prom-client';
import { controllerArguments, controllerUsage } from './controller-arguments';
import { runController } from './run-controller';
import { errorText, monotonicClock } from '../process';

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(controllerUsage());
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  process.exitCode = await runController(controllerArguments(argv), {
    clock: monotonicClock,
    registry,
    environment: process.env,
    write: (line) => void process.stdout.write(line),
    stop: stop.signal,
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${errorText(error)}\n`);
  process.exitCode = 2;
});
