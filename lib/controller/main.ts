#!/usr/bin/env node
import { hostname } from 'node:os';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type Clock } from '../kube';
import { controllerArguments, controllerUsage } from './controller-arguments';
import { runController } from './run-controller';

/** The time of day as it was at the start and the time since: a clock that is set back would lengthen a lead. */
const clock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

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
    clock,
    registry,
    environment: process.env,
    host: hostname(),
    write: (line) => void process.stdout.write(line),
    stop: stop.signal,
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
