#!/usr/bin/env node
import { collectDefaultMetrics, Registry } from 'prom-client';
import { controllerArguments, controllerUsage } from './controller-arguments';
import { runController } from './run-controller';
import { errorText, monotonicClock } from '../process';

/** Runs until shutdown; resolves with the exit code. */
async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(controllerUsage());
    return 0;
  }
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return runController(controllerArguments(argv), {
    clock: monotonicClock,
    registry,
    environment: process.env,
    write: (line) => void process.stdout.write(line),
    stop: stop.signal,
  });
}

// Exits, because a reconcile that hangs would keep alive a process that no longer leads.
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${errorText(error)}\n`);
    process.exit(2);
  },
);
