#!/usr/bin/env node
import { loadDefaultConfig } from '../kube';
import { errorText, jsonLog, monotonicClock } from '../process';
import { clientMonitorArguments, clientMonitorUsage } from './clients/client-monitor-arguments';
import { runClientMonitor } from './clients/run-client-monitor';

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(clientMonitorUsage());
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const settings = clientMonitorArguments(argv);
  const clock = monotonicClock;
  await runClientMonitor(settings, {
    apiServer: loadDefaultConfig(process.env, settings),
    clock,
    log: jsonLog(
      (line) => void process.stdout.write(line),
      () => clock.now(),
      settings.logLevel,
    ),
    stop: stop.signal,
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${errorText(error)}\n`);
  process.exitCode = 2;
});
