#!/usr/bin/env node
import { runQuotaMonitor } from './run-quota-monitor';
import { systemClock } from '../process';

void runQuotaMonitor({
  environment: process.env,
  clock: systemClock,
  write: (line) => void process.stdout.write(line),
}).then((code) => {
  process.exitCode = code;
});
