#!/usr/bin/env node
import { hostname } from 'node:os';
import { explainProblem, type Problem } from '../api';
import { loadDefaultConfig } from '../kube';
import { runNodeApprover } from '../operations';
import { readApproverSettings } from './approver-settings';
import { AwsInstances } from './aws-instances';
import { runDrainConsumer } from './drain-consumer';
import { readDrainSettings } from './drain-settings';
import { type ProcessDeps } from './process-deps';
import { monotonicClock } from '../process';

const log: ProcessDeps['log'] = (level, message, fields) =>
  void process.stdout.write(
    `${JSON.stringify({ time: new Date(monotonicClock.now()).toISOString(), level, message, ...fields })}\n`,
  );

/** Programs by name; each returns its exit code. */
const programs: Readonly<Record<string, (deps: ProcessDeps) => Promise<number>>> = {
  'drain-consumer': async (deps) => {
    const result = readDrainSettings(deps.environment);
    return 'problems' in result ? invalidSettings(result.problems) : runDrainConsumer(result.settings, deps);
  },
  'node-approver': async (deps) => {
    const result = readApproverSettings(deps.environment);
    if ('problems' in result) return invalidSettings(result.problems);
    const { region, cluster, ...settings } = result.settings;
    const instances = new AwsInstances(cluster, { region });
    const instance = `${deps.host}_${Math.floor(monotonicClock.random() * 2 ** 48).toString(36)}`;
    const api = loadDefaultConfig(deps.environment);
    return runNodeApprover({ ...deps, ...settings, settings: api, instances, instance }).finally(() =>
      instances.close(),
    );
  },
};

function invalidSettings(problems: readonly Problem[]): number {
  for (const problem of problems) log('error', 'invalid environment variable', { problem: explainProblem(problem) });
  return 2;
}

/** Runs the program named by the first argument until shutdown. */
async function main(): Promise<void> {
  const name = process.argv[2] ?? '';
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (!program) {
    log('error', 'unknown program', { program: name, programs: Object.keys(programs) });
    process.exitCode = 2;
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  process.exitCode = await program({
    environment: process.env,
    clock: monotonicClock,
    host: hostname(),
    log,
    stop: stop.signal,
  });
}

main().catch((error: unknown) => {
  log('error', 'fatal error', { reason: String(error) });
  process.exitCode = 1;
});
