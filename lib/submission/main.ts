#!/usr/bin/env node
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { runSubmission } from './run-submission';
import { monotonicClock } from '../process';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

void runSubmission({
  environment: process.env,
  clock: monotonicClock,
  registry: new Registry(),
  host: hostname(),
  write: (line) => void process.stdout.write(line),
  page: process.env['SUBMISSION_PAGE'] ?? join(__dirname, '..', 'page'),
  stop: stop.signal,
}).then((code) => {
  process.exitCode = code;
});
