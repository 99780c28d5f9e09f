import { type LiveObject } from '../../../lib/kube';
import { type Cluster } from '../../control-plane/cluster';

/** Milliseconds within which kwok starts a pod that has a node, with much to spare. */
const maxStartTime = 45_000;

interface PodState {
  readonly phase?: string;
  readonly conditions?: readonly { readonly type: string; readonly lastTransitionTime?: string }[];
}

/** Restarts kwok when it has forgotten a pod: unlike a kubelet, it gives up a pod whose change was refused. */
export class KwokWatchdog {
  #restartedAt = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly log: (line: string) => void,
  ) {}

  /** Restarts kwok if a pod has had a node for long and has not started. */
  async check(pods: readonly LiveObject[]): Promise<void> {
    const forgotten = pods.filter((pod) => waitingSince(pod) < Date.now() - maxStartTime);
    if (forgotten.length === 0 || Date.now() - this.#restartedAt < maxStartTime) return;
    this.#restartedAt = Date.now();
    this.log(`restarting kwok for ${forgotten.map(({ metadata }) => metadata.name).join(', ')}`);
    await this.cluster.part('kwok').restart();
  }
}

/** Returns when a pod that has not started got its node, in milliseconds; Infinity for others. */
function waitingSince({ status }: LiveObject): number {
  const { phase, conditions = [] } = (status ?? {}) as PodState;
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled')?.lastTransitionTime;
  return phase === 'Pending' && scheduled !== undefined ? Date.parse(scheduled) : Number.POSITIVE_INFINITY;
}
