#!/usr/bin/env node
import { explainProblem } from '../api';
import { MemoryAgent } from './memory/memory-agent';
import { readMemorySettings } from './memory/memory-settings';
import { monotonicClock } from '../process';

const log = (level: 'info' | 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>): void =>
  void process.stdout.write(
    `${JSON.stringify({ time: new Date(monotonicClock.now()).toISOString(), level, message, ...fields })}\n`,
  );

/** Runs the agent until shutdown. */
async function main(): Promise<void> {
  const result = readMemorySettings(process.env);
  if ('problems' in result) {
    for (const problem of result.problems) log('error', 'invalid variable', { problem: explainProblem(problem) });
    process.exitCode = 2;
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const paths = { proc: process.env['PROC'] ?? '/proc', cgroup: process.env['CGROUP_ROOT'] ?? '/sys/fs/cgroup' };
  const agent = new MemoryAgent({ settings: result.settings, paths, clock: monotonicClock, log, stop: stop.signal });
  await agent.run((port) => log('info', 'listening', { port, mode: result.settings.mode }));
}

main().catch((error: unknown) => {
  log('error', 'memory agent failed', { reason: String(error) });
  process.exitCode = 1;
});
