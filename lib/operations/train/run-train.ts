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
  for (const stop of stops) {
    const { context } = stop.cluster;
    const haltedReason = await deps.withCluster(context, (client) => new TrainRun(client, stop, train, deps).run());
    if (haltedReason !== undefined) return { isComplete: false, context, reason: haltedReason };
  }
  return { isComplete: true };
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
  #reported = '';

  constructor(
    private readonly client: KubeClient,
    private readonly stop: TrainStop,
    private readonly train: Train,
    private readonly deps: TrainDeps,
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
      ...{ record, digest: this.#digest, cluster: this.stop.cluster, observation },
      ...{ since: this.#since, deadline: this.train.deadline, now: clock.now() },
    });
    const now = new Date(clock.now()).toISOString();
    switch (step.do) {
      case 'skip':
        this.#report(`has the change since ${record?.passedAt ?? ''}`);
        return 'passed';
      case 'begin':
        await this.#write({ digest: this.#digest, startedAt: now, notReadyBefore: observation.notReady });
        return 'continues';
      case 'apply':
        return this.#apply();
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

  async #observe(): Promise<TrainObservation> {
    const { record } = this.#stored;
    const appliedAt = record?.digest === this.#digest ? record.appliedAt : undefined;
    const since = appliedAt === undefined ? undefined : Date.parse(appliedAt);
    try {
      return await observeTrainCluster(this.client, this.deps.clock, this.stop.manifests, since);
    } catch (error) {
      // A change may restart the API server; before a change, a cluster that does not respond ends the run.
      if (since === undefined || !isApiError(error) || (error.status > 0 && error.status < 500)) throw error;
      const waits = [`the API server does not respond: ${error.message}`];
      return { notReady: [], waits, canary: { state: 'pending', reasons: [] } };
    }
  }

  async #apply(): Promise<'continues' | { readonly haltedReason: string }> {
    this.#report(`applies ${this.stop.manifests.length} manifests`);
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
