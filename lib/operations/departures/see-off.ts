import { allPages, type Clock, type KubeClient } from '../../kube';
import { cordon } from '../drain/cordon';
import { type DrainPolicy, patientKinds } from '../drain/drain-plan';
import { evictPods } from '../drain/evict';
import { nodesByMachine } from '../roll/roll-observer';
import { type Tell } from '../tell';
import { type Departure, type DrainQueue } from './drain-queue';
import { planDeparture } from './plan-departure';

/** What seeing machines off leans on. */
export interface SeeOffParts {
  readonly client: KubeClient;
  readonly queue: DrainQueue;
  readonly clock: Clock;
  readonly policy: DrainPolicy;
  readonly log: Tell;
}

/**
 * Takes the notices that are there and does the next step for each. A machine that is not empty yet is held, and its notice
 * comes again: what was done is seen on its node, whichever process looks next. One that fails stops no other.
 */
export async function seeOff(parts: SeeOffParts): Promise<void> {
  const departures = await parts.queue.receive();
  if (departures.length === 0) return;
  const nodes = nodesByMachine(await allPages(parts.client, 'Node'));
  await Promise.all(
    departures.map(async (departure) => {
      try {
        await step(parts, departure, nodes);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        parts.log('warn', 'a machine could not be seen off yet', { machine: departure.machine, reason });
      }
    }),
  );
}

async function step(
  { client, queue, clock, policy, log }: SeeOffParts,
  departure: Departure,
  nodes: ReturnType<typeof nodesByMachine>,
): Promise<void> {
  const { machine } = departure;
  const node = nodes.get(machine);
  const name = node?.metadata.name;
  const pods = name === undefined ? [] : await allPages(client, 'Pod', { fieldSelector: `spec.nodeName=${name}` });
  // Whoever is not evicted now is killed in two minutes.
  const own = departure.held ? policy : { ...policy, evict: patientKinds };
  const next = planDeparture(node, pods, own, clock.now());
  if (next.do === 'let-go') {
    const left = next.left.map((pod) => `${pod.namespace}/${pod.name}`);
    if (left.length > 0)
      log('warn', 'a machine ends with pods whose time is over', { machine, node: name, pods: left });
    await queue.letGo(departure);
    log('info', 'a machine may end', { machine, node: name });
    return;
  }
  // Held first: an eviction may take longer than the machine has.
  await queue.hold(departure);
  if (next.do === 'cordon') {
    await cordon(client, next.node, clock.now());
    log('info', 'a node is being drained', { machine, node: name });
    return;
  }
  for (const { namespace, name: pod, reason } of await evictPods(client, next.pods))
    log('info', 'a pod stays for now', { node: name, pod: `${namespace}/${pod}`, reason });
}
