import { manager } from '../api';
import { connect, loadDefaultConfig } from '../kube';
import { processTerminations } from '../operations';
import { AwsDrainQueue } from './aws-drain-queue';
import { type DrainSettings } from './drain-settings';
import { type ProcessDeps } from './process-deps';

/** Delay of a retry after AWS or the API server was unreachable. */
const retryDelayMs = 5_000;

/** Handles terminations of Auto Scaling group machines until shutdown. The next process resumes unfinished ones. */
export async function runDrainConsumer(
  { region, queue: name, policy }: DrainSettings,
  { environment, clock, log, stop }: ProcessDeps,
): Promise<number> {
  const userAgent = 'pinion-drain-consumer';
  const client = connect(loadDefaultConfig(environment), { clock, userAgent, fieldManager: manager });
  const queue = new AwsDrainQueue(name, { region });
  const close = (): void => {
    queue.close();
    client.close();
  };
  stop.addEventListener('abort', close);
  while (!stop.aborted)
    try {
      await processTerminations({ client, queue, clock, policy, log });
    } catch (error) {
      if (stop.aborted) break;
      log('warn', 'queue or API server unreachable', { reason: String(error) });
      await new Promise<void>((resolve) => void clock.after(retryDelayMs, resolve));
    }
  return 0;
}
