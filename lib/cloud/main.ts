#!/usr/bin/env node
import { hostname } from 'node:os';
import { explainProblem, type Problem } from '../api';
import { ownCluster } from '../kube';
import { runNodeApprover } from '../operations';
import { readApproverSettings } from './approver-settings';
import { AwsInstances } from './aws-instances';
import { runDrainConsumer } from './drain-consumer';
import { readDrainSettings } from './drain-settings';
import { type ProcessParts } from './process-parts';

/** The time of day as it was at the start and the time since: a clock that is set back would lengthen a lead. */
const clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

const log: ProcessParts['log'] = (level, message, facts) =>
  void process.stdout.write(
    `${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, message, ...facts })}\n`,
  );

/** Programs by their name; each gives its exit code. */
const programs: Readonly<Record<string, (parts: ProcessParts) => Promise<number>>> = {
  'drain-consumer': async (parts) => {
    const read = readDrainSettings(parts.environment);
    return 'problems' in read ? wrong(read.problems) : runDrainConsumer(read.settings, parts);
  },
  'node-approver': async (parts) => {
    const read = readApproverSettings(parts.environment);
    if ('problems' in read) return wrong(read.problems);
    const { region, cluster, ...settings } = read.settings;
    const instances = new AwsInstances(cluster, { region });
    const instance = `${parts.host}_${Math.floor(clock.random() * 2 ** 48).toString(36)}`;
    const api = ownCluster(parts.environment);
    return runNodeApprover({ ...parts, ...settings, settings: api, instances, instance }).finally(() =>
      instances.close(),
    );
  },
};

function wrong(problems: readonly Problem[]): number {
  for (const problem of problems) log('error', 'a variable is wrong', { problem: explainProblem(problem) });
  return 2;
}

/** Runs the program that the first argument names, until it is told to stop. */
async function main(): Promise<void> {
  const name = process.argv[2] ?? '';
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (!program) {
    log('error', 'there is no such program', { program: name, programs: Object.keys(programs) });
    process.exitCode = 2;
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  process.exitCode = await program({ environment: process.env, clock, host: hostname(), log, stop: stop.signal });
}

main().catch((error: unknown) => {
  log('error', 'it cannot go on', { reason: String(error) });
  process.exitCode = 1;
});
