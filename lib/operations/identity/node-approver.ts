import { entriesAt } from '../../api';
import {
  type Clock,
  EventRecorder,
  SharedInformerFactory,
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
import { type LogEvent } from '../log-event';
import { alreadyIssued, decideIdentity, type IdentityDecision, type IdentityPolicy } from './decide-identity';
import { type IdentityRequest, parseIdentityRequest, nodeSigners } from './identity-request';
import { type InstanceDirectory } from './instance-directory';
import { IssuedCertificates } from './issued-certificates';

/** Dependencies of a node approver. */
export interface NodeApproverDeps {
  readonly client: KubeClient;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly log: LogEvent;
  readonly policy: IdentityPolicy;
  /** Group of machines that have no certificate yet. */
  readonly bootstrapGroup: string;
  /** Namespace of the ConfigMap that records the issued certificates. */
  readonly namespace: string;
  /** Reporting instance of its events. */
  readonly instance: string;
}

/** Interval after which a deferred request is re-evaluated. */
const deferredRecheckMs = 10_000;
/** Back-off of a request whose decision failed. */
const retries = { retryBase: 1_000, retryCap: 60_000 };
/** Maximum concurrent decisions; each calls the cloud API. */
const workers = 4;
/** Timeout for sending events before the lease is released. */
const eventFlushTimeoutMs = 2_000;

/** Decides on certificate requests of nodes. Caches the requests from `start`, decides from `lead`. */
export class NodeApprover {
  private readonly informers: readonly SharedInformer<LiveObject>[];
  private readonly factory: SharedInformerFactory;
  private readonly queue: WorkQueue;
  private readonly recorder: EventRecorder;
  private readonly issued: IssuedCertificates;
  private working: Promise<void> | undefined;

  constructor(private readonly deps: NodeApproverDeps) {
    const { client, clock, log, instance } = deps;
    const warn = (error: unknown): void => log('warn', 'API request failed', { reason: String(error) });
    this.factory = new SharedInformerFactory({ client, clock, onError: warn });
    this.informers = Object.values(nodeSigners).map((signer) =>
      this.factory.informer({
        resource: requests,
        selection: { fieldSelector: `spec.signerName=${signer}` },
        transform: keepWholeObject,
      }),
    );
    const { namespace, policy } = deps;
    this.issued = new IssuedCertificates({ client, clock, namespace, keepFor: 2 * policy.maxInstanceAge });
    this.queue = new WorkQueue({ clock, ...retries });
    this.recorder = new EventRecorder({ client, clock, component: 'pinion-node-approver', instance, onError: warn });
    for (const informer of this.informers)
      informer.addEventHandler({
        onAdd: (_, key) => this.add(key),
        onUpdate: (_before, _after, key) => this.add(key),
        onDelete: ({ metadata }) => this.recorder.forget(metadata.uid),
      });
  }

  /** Starts caching the requests; resolves when the cache has synced. */
  start(signal?: AbortSignal): Promise<void> {
    this.factory.start();
    return this.factory.waitForCacheSync(signal);
  }

  /** Starts deciding, first on pending requests. Has no effect if called again. */
  lead(): void {
    if (this.working) return;
    this.working = this.queue.run(
      workers,
      (key) => this.work(key),
      (error, request) => this.deps.log('warn', 'decision failed', { request, reason: String(error) }),
    );
    for (const informer of this.informers) for (const [key] of informer.store.entries()) this.add(key);
  }

  /** Finishes decisions in progress, starts no more, and sends their events. */
  async drain(): Promise<void> {
    await this.queue.shutDown({ discard: true });
    await this.working;
    await this.recorder.stop(eventFlushTimeoutMs);
  }

  /** Drains, and ends all watches. */
  async stop(): Promise<void> {
    await this.drain();
    await this.factory.stop();
  }

  private add(key: string): void {
    if (this.working) this.queue.add(key);
  }

  private async work(key: string): Promise<WorkResult | undefined> {
    const object = this.informers.map(({ store }) => store.get(key)).find((one) => one !== undefined);
    const parsed = object && parseIdentityRequest(object, this.deps.bootstrapGroup);
    if (!object || !parsed) return undefined;
    const decision: IdentityDecision =
      'denied' in parsed ? { decision: 'deny', ...parsed.denied } : await this.decide(object, parsed.request);
    const earlier = decision.joining === undefined ? undefined : await this.issued.record(decision.joining, object);
    await this.applyDecision(object, earlier ? alreadyIssued(decision.joining ?? '', earlier) : decision);
    return decision.decision === 'defer' ? { after: deferredRecheckMs } : undefined;
  }

  private async decide(object: LiveObject, request: IdentityRequest): Promise<IdentityDecision> {
    const { client, instances, clock, policy } = this.deps;
    const node = client.get(resourceOf('Node'), { name: request.node });
    const named = instances.findByName(request.node).catch((error: unknown) => {
      const message = `the cloud API cannot confirm whether ${request.node} is a machine of the cluster`;
      this.recorder.event(object, { type: 'Warning', reason: 'CloudUnavailable', message });
      throw error;
    });
    const [liveNode, found] = await Promise.all([node, named]);
    return decideIdentity(request, { node: liveNode, instances: found, now: clock.now() }, policy);
  }

  private async applyDecision(object: LiveObject, { decision, reason, message }: IdentityDecision): Promise<void> {
    if (decision !== 'defer') {
      const type = decision === 'approve' ? 'Approved' : 'Denied';
      const written = await this.write(object, { type, status: 'True', reason, message });
      if (!written) return;
    }
    const type = decision === 'approve' ? 'Normal' : 'Warning';
    this.recorder.event(object, { type, reason, message });
    this.deps.log(decision === 'approve' ? 'info' : 'warn', logMessages[decision], {
      request: keyOf(object),
      reason,
      detail: message,
    });
  }

  /** Writes a decision for exactly the resource version that was read; returns false if the request was deleted. */
  private async write(object: LiveObject, condition: object): Promise<boolean> {
    const conditions = [...entriesAt(object, 'status', 'conditions'), condition];
    const status = { ...(object['status'] as object | undefined), conditions };
    try {
      await this.deps.client.request('PUT', objectPath(requests, object.metadata, 'approval'), { ...object, status });
      return true;
    } catch (error) {
      if (isApiError(error, 404)) return false;
      throw error;
    }
  }
}

const requests = resourceOf('CertificateSigningRequest');
/** The approval endpoint takes the whole object, so the cache must not trim it. */
const keepWholeObject = (object: LiveObject): LiveObject => object;

const logMessages = {
  approve: 'certificate approved',
  deny: 'certificate denied',
  defer: 'certificate deferred',
} as const;
