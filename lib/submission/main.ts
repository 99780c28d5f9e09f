#!/usr/bin/env node
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { type Clock } from '../kube';
import { runSubmission } from './run-submission';

const clock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

void runSubmission({
  environment: process.env,
  clock,
  registry: new Registry(),
  host: hostname(),
  write: (line) => void process.stdout.write(line),
  page: process.env['SUBMISSION_PAGE'] ?? join(__dirname, '..', 'page'),
  stop: stop.signal,
}).then((code) => {
  process.exitCode = code;
});
