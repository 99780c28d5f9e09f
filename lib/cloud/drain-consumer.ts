import { connect, ownCluster } from '../kube';
import { seeOff } from '../operations';
import { AwsDrainQueue } from './aws-drain-queue';
import { type DrainSettings } from './drain-settings';
import { type ProcessParts } from './process-parts';

/** Milliseconds until it is tried again after AWS or the API could not be reached. */
const pause = 5_000;

/** Sees off the machines that Auto Scaling groups end, until it is asked to end; whatever is under way is seen again by the next process. */
export async function runDrainConsumer(
  { region, queue: name, policy }: DrainSettings,
  { environment, clock, log, stop }: ProcessParts,
): Promise<number> {
  const client = connect(ownCluster(environment), { clock, userAgent: 'pinion-drain-consumer' });
  const queue = new AwsDrainQueue(name, { region });
  const close = (): void => {
    queue.close();
    client.close();
  };
  stop.addEventListener('abort', close);
  while (!stop.aborted)
    try {
      await seeOff({ client, queue, clock, policy, log });
    } catch (error) {
      if (stop.aborted) break;
      log('warn', 'the queue or the API could not be reached', { reason: String(error) });
      await new Promise<void>((resolve) => void clock.after(pause, resolve));
    }
  return 0;
}
