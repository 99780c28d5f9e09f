import { explainProblem } from '../api';
import { connect, inCluster } from '../kube';
import { seeOff } from '../operations';
import { AwsDrainQueue } from './aws-drain-queue';
import { readDrainSettings } from './drain-settings';

/** Milliseconds until it is tried again after AWS or the API could not be reached. */
const pause = 5_000;

const clock = {
  now: () => Date.now(),
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

function log(level: 'info' | 'warn' | 'error', message: string, facts: Readonly<Record<string, unknown>> = {}): void {
  process.stdout.write(`${JSON.stringify({ time: new Date(Date.now()).toISOString(), level, message, ...facts })}\n`);
}

/** The drain consumer: sees off the machines that Auto Scaling groups end, until it is told to stop. */
async function main(): Promise<void> {
  const read = readDrainSettings(process.env);
  if ('problems' in read) {
    for (const problem of read.problems) log('error', 'a variable is wrong', { problem: explainProblem(problem) });
    process.exitCode = 2;
    return;
  }
  const { region, queue: name, policy } = read.settings;
  const client = connect(inCluster({ environment: process.env }), { clock, userAgent: 'pinion-drain-consumer' });
  const queue = new AwsDrainQueue(name, { region });
  let isStopping = false;
  // Whatever is under way is seen again by the next process.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      queue.close();
      client.close();
    });
  while (!isStopping)
    try {
      await seeOff({ client, queue, clock, policy, log });
    } catch (error) {
      if (isStopping) return;
      log('warn', 'the queue or the API could not be reached', { reason: String(error) });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
}

main().catch((error: unknown) => {
  log('error', 'the drain consumer cannot start', { reason: String(error) });
  process.exitCode = 1;
});
