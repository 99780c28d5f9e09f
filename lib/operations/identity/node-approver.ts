import { entriesAt } from '../../api';
import {
  type Clock,
  EventRecorder,
  InformerFactory,
  isApiError,
  type KubeClient,
  keyOf,
  type LiveObject,
  objectPath,
  resourceOf,
  type SharedInformer,
  WorkQueue,
  type WorkResult,
} from '../../kube';
import { type Tell } from '../tell';
import { decideIdentity, type IdentityDecision, type IdentityPolicy } from './decide-identity';
import { type IdentityRequest, identityRequestOf, nodeSigners } from './identity-request';
import { type Instances } from './instances';

/** What an approver leans on. */
export interface NodeApproverParts {
  readonly client: KubeClient;
  readonly instances: Instances;
  readonly clock: Clock;
  readonly log: Tell;
  readonly policy: IdentityPolicy;
  /** Group of machines that have no certificate yet. */
  readonly bootstrapGroup: string;
  /** Name of this process in its events. */
  readonly instance: string;
}

/** Milliseconds until a request that is held is looked at again. */
const recheck = 10_000;
/** First and longest delay of a request whose decision failed, in milliseconds. */
const retries = { retryBase: 1_000, retryCap: 60_000 };
/** Requests that are decided at the same time: the cloud is asked about each. */
const workers = 4;
/** Milliseconds that a successor waits at most for the events of who hands over. */
const farewell = 2_000;

/** Decides on certificates that nodes ask for. Mirrors the requests from `start`, decides from `lead`. */
export class NodeApprover {
  private readonly informers: readonly SharedInformer<LiveObject>[];
  private readonly factory: InformerFactory;
  private readonly queue: WorkQueue;
  private readonly recorder: EventRecorder;
  private working: Promise<void> | undefined;

  constructor(private readonly parts: NodeApproverParts) {
    const { client, clock, log, instance } = parts;
    const warn = (error: unknown): void => log('warn', 'the API server could not be asked', { reason: String(error) });
    this.factory = new InformerFactory({ client, clock, onError: warn });
    this.informers = Object.values(nodeSigners).map((signer) =>
      this.factory.informer({
        resource: requests,
        selection: { fieldSelector: `spec.signerName=${signer}` },
        transform: whole,
      }),
    );
    this.queue = new WorkQueue({ clock, ...retries });
    this.recorder = new EventRecorder({ client, clock, component: 'pinion-node-approver', instance, onError: warn });
    for (const informer of this.informers)
      informer.addHandler({
        added: (_, key) => this.add(key),
        updated: (_before, _after, key) => this.add(key),
        deleted: ({ metadata }) => this.recorder.forget(metadata.uid),
      });
  }

  /** Begins to mirror the requests; fulfilled when all of them are known. */
  start(signal?: AbortSignal): Promise<void> {
    this.factory.start();
    return this.factory.waitForSync(signal);
  }

  /** Begins to decide, with those that wait already. Once only. */
  lead(): void {
    if (this.working) return;
    this.working = this.queue.run(
      workers,
      (key) => this.work(key),
      (error, request) =>
        this.parts.log('warn', 'a request could not be decided yet', { request, reason: String(error) }),
    );
    for (const informer of this.informers) for (const [key] of informer.store.entries()) this.add(key);
  }

  /** Finishes the decisions under way, takes no more, and tells what they have to tell. */
  async rest(): Promise<void> {
    await this.queue.shutDown({ discard: true });
    await this.working;
    await this.recorder.stop(farewell);
  }

  /** Rests, and ends all watches. */
  async stop(): Promise<void> {
    await this.rest();
    await this.factory.stop();
  }

  private add(key: string): void {
    if (this.working) this.queue.add(key);
  }

  private async work(key: string): Promise<WorkResult | undefined> {
    const object = this.informers.map(({ store }) => store.get(key)).find((one) => one !== undefined);
    const read = object && identityRequestOf(object, this.parts.bootstrapGroup);
    if (!object || !read) return undefined;
    const decision: IdentityDecision =
      'refused' in read ? { decision: 'deny', ...read.refused } : await this.decide(object, read.asks);
    await this.carryOut(object, decision);
    return decision.decision === 'hold' ? { after: recheck } : undefined;
  }

  private async decide(object: LiveObject, asks: IdentityRequest): Promise<IdentityDecision> {
    const { client, instances, clock, policy } = this.parts;
    const node = client.get(resourceOf('Node'), { name: asks.node });
    const named = instances.named(asks.node).catch((error: unknown) => {
      const message = `the cloud does not say whether ${asks.node} is a machine of the cluster`;
      this.recorder.record(object, { type: 'Warning', reason: 'CloudUnreachable', message });
      throw error;
    });
    const [found, known] = await Promise.all([node, named]);
    return decideIdentity(asks, { node: found, instances: known, now: clock.now() }, policy);
  }

  private async carryOut(object: LiveObject, { decision, reason, message }: IdentityDecision): Promise<void> {
    if (decision !== 'hold') {
      const type = decision === 'approve' ? 'Approved' : 'Denied';
      const isStill = await this.write(object, { type, status: 'True', reason, message });
      if (!isStill) return;
    }
    const type = decision === 'approve' ? 'Normal' : 'Warning';
    this.recorder.record(object, { type, reason, message });
    this.parts.log(decision === 'approve' ? 'info' : 'warn', said[decision], {
      request: keyOf(object),
      reason,
      because: message,
    });
  }

  /** Writes a decision about the very version that was looked at; false where the request is gone. */
  private async write(object: LiveObject, condition: object): Promise<boolean> {
    const conditions = [...entriesAt(object, 'status', 'conditions'), condition];
    const status = { ...(object['status'] as object | undefined), conditions };
    try {
      await this.parts.client.request('PUT', objectPath(requests, object.metadata, 'approval'), { ...object, status });
      return true;
    } catch (error) {
      if (isApiError(error, 404)) return false;
      throw error;
    }
  }
}

const requests = resourceOf('CertificateSigningRequest');
/** What is sent back with a decision is the whole request. */
const whole = (object: LiveObject): LiveObject => object;

const said = {
  approve: 'a certificate is approved',
  deny: 'a certificate is denied',
  hold: 'a certificate waits',
} as const;
