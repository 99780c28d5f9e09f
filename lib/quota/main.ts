#!/usr/bin/env node
import { type Clock } from '../kube';
import { runWatch } from './run-watch';

const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

void runWatch({ environment: process.env, clock, write: (line) => void process.stdout.write(line) }).then((code) => {
  process.exitCode = code;
});
