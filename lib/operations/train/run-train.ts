import { createHash } from 'node:crypto';
import { delay, errorText } from '../../process';
import { type Clock, isApiError, type KubeClient, type SentObject } from '../../kube';
import { applyManifests } from './apply-manifests';
import { nextTrainStep, type TrainObservation } from './next-train-step';
import { observeTrainCluster } from './observe-train-cluster';
import { type Train, type TrainCluster } from './train';
import {
  readTrainRecord,
  TrainConflict,
  writeTrainRecord,
  type StoredTrainRecord,
  type TrainRecord,
} from './train-record';

/** A cluster of a train with what reaches it. */
export interface TrainStop {
  readonly cluster: TrainCluster;
  /** Manifests in the order in which they are applied. */
  readonly manifests: readonly SentObject[];
}

/** What a train needs. */
export interface TrainDeps {
  readonly clock: Clock;
  /** Whether to take over fields that other field managers have set. */
  readonly force: boolean;
  /** Whether a former change is taken back: the last cluster first, without canary and soak. */
  readonly isBack: boolean;
  /** Connects to the cluster of a context for an action. */
  readonly withCluster: <T>(context: string, action: (client: KubeClient) => Promise<T>) => Promise<T>;
  /** Reports what a train does or waits for on a cluster, when it changes. */
  readonly report: (context: string, what: string) => void;
}

/** How a train ended. */
export type TrainEnd =
  { readonly isComplete: true } | { readonly isComplete: false; readonly context: string; readonly reason: string };

const pollInterval = 5_000;

/**
 * Moves a change from cluster to cluster: the next one is touched when the one before has settled, its canary has tested
 * the change, and it has stayed well for its soak time. What it has done is recorded in each cluster, so that another run
 * continues where this one ended, however it ended.
 */
export async function runTrain(train: Train, stops: readonly TrainStop[], deps: TrainDeps): Promise<TrainEnd> {
  const order = deps.isBack ? [...stops].reverse() : stops;
  for (const [index, stop] of order.entries()) {
    const { context } = stop.cluster;
    const earlier = deps.isBack ? [] : order.slice(0, index);
    const findUnwell = (): Promise<string | undefined> => firstUnwell(earlier, deps);
    const haltedReason = await deps.withCluster(context, (client) =>
      new TrainRun(client, stop, train, deps, findUnwell).run(),
    );
    if (haltedReason !== undefined) return { isComplete: false, context, reason: haltedReason };
  }
  return { isComplete: true };
}

/** Returns why a cluster that has the change is not well any more, as on the day after it passed; undefined if all are. */
async function firstUnwell(stops: readonly TrainStop[], deps: TrainDeps): Promise<string | undefined> {
  for (const { cluster, manifests } of stops) {
    const reasons = await deps.withCluster(cluster.context, async (client) => {
      const { record } = await readTrainRecord(client);
      const { rollingOut, waits, rollout, canary } = await observeTrainCluster(client, deps.clock, manifests, record);
      const isClosed = cluster.canary === 'Required' && canary.state === 'closed';
      return [...rollingOut, ...waits, ...rollout.waits, ...(isClosed ? canary.reasons : [])];
    });
    if (reasons.length > 0) return `${cluster.context}, which has the change, is not well: ${reasons.join('; ')}`;
  }
  return undefined;
}

/** Returns the digest of manifests, by which a cluster knows the change that it has. */
export const manifestsDigest = (manifests: readonly SentObject[]): string =>
  createHash('sha256').update(JSON.stringify(manifests)).digest('hex').slice(0, 16);

const withoutHalt = ({ haltedReason: _, ...record }: TrainRecord): TrainRecord => record;

/** The run of a train on one cluster. */
class TrainRun {
  readonly #since: number;
  readonly #digest: string;
  #stored: StoredTrainRecord = {};
  #unwellSince: number | undefined;
  #reported = '';

  constructor(
    private readonly client: KubeClient,
    private readonly stop: TrainStop,
    private readonly train: Train,
    private readonly deps: TrainDeps,
    private readonly findUnwell: () => Promise<string | undefined>,
  ) {
    this.#since = deps.clock.now();
    this.#digest = manifestsDigest(stop.manifests);
  }

  /** Runs until the change has passed; resolves with the reason if the train stops here. */
  async run(): Promise<string | undefined> {
    this.#stored = await readTrainRecord(this.client);
    for (;;) {
      const result = await this.#step();
      if (result === 'passed') return undefined;
      if (result !== 'continues') return result.haltedReason;
    }
  }

  async #step(): Promise<'passed' | 'continues' | { readonly haltedReason: string }> {
    const { record } = this.#stored;
    const observation = await this.#observe();
    const { clock } = this.deps;
    const step = nextTrainStep({
      ...{ record, digest: this.#digest, train: this.train, cluster: this.stop.cluster, isBack: this.deps.isBack },
      ...{ observation, since: this.#since, unwellSince: this.#unwellSince, now: clock.now() },
    });
    this.#unwellSince = step.do === 'wait' && step.reasons.length > 0 ? (this.#unwellSince ?? clock.now()) : undefined;
    const now = new Date(clock.now()).toISOString();
    switch (step.do) {
      case 'skip':
        this.#report(`has the change since ${record?.passedAt ?? ''}`);
        return 'passed';
      case 'begin':
        return this.#begin(now, observation);
      case 'apply':
        return this.#apply();
      case 'rolledOut':
        await this.#write({ ...(record as TrainRecord), rolledOutAt: now });
        return 'continues';
      case 'settle':
        this.#report('is well; soaking');
        await this.#write({ ...withoutHalt(record as TrainRecord), settledAt: now });
        return 'continues';
      case 'pass':
        await this.#write({ ...withoutHalt(record as TrainRecord), passedAt: now });
        this.#report('has passed');
        return 'passed';
      case 'wait':
        if (step.reasons.length > 0) this.#report(`waits: ${step.reasons.join('; ')}`);
        await delay(this.deps.clock, pollInterval);
        return 'continues';
      case 'halt':
        return this.#halt(step.reason);
    }
  }

  async #begin(
    startedAt: string,
    { notReady }: TrainObservation,
  ): Promise<'continues' | { readonly haltedReason: string }> {
    const haltedReason = await this.findUnwell();
    if (haltedReason !== undefined) return { haltedReason };
    // What the change broke that is taken back must become Ready again.
    const notReadyBefore = (this.deps.isBack && this.#stored.record?.notReadyBefore) || notReady;
    await this.#write({ digest: this.#digest, startedAt, notReadyBefore });
    return 'continues';
  }

  async #observe(): Promise<TrainObservation> {
    const record = this.#stored.record?.digest === this.#digest ? this.#stored.record : undefined;
    try {
      return await observeTrainCluster(this.client, this.deps.clock, this.stop.manifests, record);
    } catch (error) {
      // A change may restart the API server; before a change, a cluster that does not respond ends the run.
      if (!record || !isApiError(error) || (error.status > 0 && error.status < 500)) throw error;
      const rollingOut = [`the API server does not respond: ${error.message}`];
      return {
        ...{ notReady: [], rollingOut, waits: [] },
        rollout: { waits: [], isRolledBack: false },
        canary: { state: 'pending', reasons: [] },
      };
    }
  }

  async #apply(): Promise<'continues' | { readonly haltedReason: string }> {
    this.#report(
      `applies ${this.stop.manifests.length} ${this.stop.manifests.length === 1 ? 'manifest' : 'manifests'}`,
    );
    try {
      await applyManifests(this.client, this.stop.manifests, this.deps);
    } catch (error) {
      if (!isApiError(error) || error.status === 0) throw error;
      return this.#halt(errorText(error));
    }
    const appliedAt = new Date(this.deps.clock.now()).toISOString();
    await this.#write({ ...(this.#stored.record as TrainRecord), appliedAt });
    return 'continues';
  }

  /** Records why the train stops; a later run waits and soaks again. */
  async #halt(haltedReason: string): Promise<{ readonly haltedReason: string }> {
    const { record } = this.#stored;
    if (record?.digest === this.#digest) {
      const { settledAt: _, ...rest } = record;
      await this.#write({ ...rest, haltedReason });
    }
    return { haltedReason };
  }

  async #write(record: TrainRecord): Promise<void> {
    try {
      this.#stored = await writeTrainRecord(this.client, record, this.#stored);
    } catch (error) {
      if (error instanceof TrainConflict) this.#report(error.message);
      throw error;
    }
  }

  #report(what: string): void {
    if (what === this.#reported) return;
    this.#reported = what;
    this.deps.report(this.stop.cluster.context, what);
  }
}
