import { listAllPages, type Clock, type KubeClient } from '../../kube';
import { cordon } from '../drain/cordon';
import { type DrainPolicy, drainWaitKinds } from '../drain/drain-plan';
import { evictPods } from '../drain/evict';
import { nodesByMachine } from '../roll/roll-observer';
import { type LogEvent } from '../log-event';
import { type TerminationNotice, type DrainQueue } from './drain-queue';
import { planTermination } from './plan-termination';
import { errorText } from '../../process';

/** Dependencies of termination handling. */
export interface TerminationDeps {
  readonly client: KubeClient;
  readonly queue: DrainQueue;
  readonly clock: Clock;
  readonly policy: DrainPolicy;
  readonly log: LogEvent;
}

/**
 * Receives termination notices and executes the next step of each. A machine that is not drained yet is kept and its notice
 * is redelivered: the progress is recorded on the node, so that any process can continue. One failure does not affect
 * the other machines.
 */
export async function processTerminations(deps: TerminationDeps): Promise<void> {
  const notices = await deps.queue.receive();
  if (notices.length === 0) return;
  const nodes = nodesByMachine(await listAllPages(deps.client, 'Node'));
  await Promise.all(
    notices.map(async (notice) => {
      try {
        await step(deps, notice, nodes);
      } catch (error) {
        const reason = errorText(error);
        deps.log('warn', 'termination handling failed', { machine: notice.machine, reason });
      }
    }),
  );
}

async function step(
  { client, queue, clock, policy, log }: TerminationDeps,
  notice: TerminationNotice,
  nodes: ReturnType<typeof nodesByMachine>,
): Promise<void> {
  const { machine } = notice;
  const node = nodes.get(machine);
  const name = node?.metadata.name;
  const pods = name === undefined ? [] : await listAllPages(client, 'Pod', { fieldSelector: `spec.nodeName=${name}` });
  // Without a hook the machine is terminated in two minutes, with all remaining pods.
  const effectivePolicy = notice.hook ? policy : { ...policy, evict: drainWaitKinds };
  const next = planTermination(node, pods, effectivePolicy, clock.now());
  if (next.do === 'complete') {
    const remaining = next.remaining.map((pod) => `${pod.namespace}/${pod.name}`);
    if (remaining.length > 0)
      log('warn', 'drain timed out, machine terminates with remaining pods', { machine, node: name, pods: remaining });
    await queue.complete(notice);
    log('info', 'machine termination completed', { machine, node: name });
    return;
  }
  // Extended first: an eviction can take longer than the lifecycle action.
  await queue.extend(notice);
  if (next.do === 'cordon') {
    await cordon(client, next.node, clock.now());
    log('info', 'drain started', { machine, node: name });
    return;
  }
  for (const { namespace, name: pod, reason } of await evictPods(client, next.pods))
    log('info', 'eviction rejected', { node: name, pod: `${namespace}/${pod}`, reason });
}
