import { metadataKeys } from '../../lib/api';
import { type Child, type Observed } from '../../lib/controller/observed/child';
import { parseIndexes } from '../../lib/controller/run/index-ranges';
import { type PodFacts } from '../../lib/controller/observed/pod-facts';
import { formatIndexes, type KubernetesObject } from '../../lib/expand';
import { type LiveObject, type OwnerReference } from '../../lib/kube';

/** Simulates the parts of the Job controller that runs depend on; pods start and end on request. */

export interface SimulatedPod {
  readonly facts: PodFacts;
  readonly jobUid: string;
  readonly index: number;
}

interface SimulatedJob {
  readonly uid: string;
  object: KubernetesObject;
  readonly conditions: Map<string, { status: string; reason: string; message: string; at: number }>;
  started: number | undefined;
  readonly succeeded: Set<number>;
  readonly failed: Set<number>;
  ended: number | undefined;
}

interface Spec {
  readonly completionMode?: string;
  readonly completions?: number;
  readonly parallelism?: number;
  readonly suspend?: boolean;
  readonly maxFailedIndexes?: number;
  readonly successPolicy?: { readonly rules: readonly { succeededIndexes?: string; succeededCount?: number }[] };
  readonly template: { readonly metadata?: { readonly labels?: Record<string, string> } };
}

export const owner: OwnerReference = {
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestJobSet',
  name: 'app',
  uid: 'owner',
  controller: true,
};

const iso = (time: number) => new Date(time).toISOString();

/** Jobs and pods of one namespace. */
export class SimulatedJobs {
  readonly jobs = new Map<string, SimulatedJob>();
  pods: SimulatedPod[] = [];
  /** Every start of a pod, as `run of the Job / Job / index`. */
  readonly starts: { readonly run: string; readonly job: string; readonly index: number; readonly at: number }[] = [];
  readonly successes = new Set<string>();
  now = Date.parse('2026-01-01T00:00:00Z');
  /** Node that a new pod gets at once. */
  placer: () => string | undefined = () => 'node-1';
  #uids = 0;

  create(object: KubernetesObject): void {
    if (this.jobs.has(object.metadata.name)) throw new Error(`Job ${object.metadata.name} already exists`);
    this.jobs.set(object.metadata.name, {
      uid: `job-${this.#uids++}`,
      object,
      conditions: new Map(),
      started: undefined,
      succeeded: new Set(),
      failed: new Set(),
      ended: undefined,
    });
  }

  update(object: KubernetesObject): void {
    this.#job(object.metadata.name).object = object;
  }

  /** Deletes a Job; its pods run until they are garbage collected. */
  delete(name: string): void {
    this.jobs.delete(name);
  }

  /** Removes pods of deleted Jobs. */
  collectGarbage(): void {
    const uids = new Set([...this.jobs.values()].map(({ uid }) => uid));
    this.pods = this.pods.filter(({ jobUid }) => uids.has(jobUid));
  }

  /** Reconciles like the Job controller: suspends, resumes and creates pods. */
  sync(): void {
    for (const [name, job] of this.jobs) {
      if (job.ended !== undefined) continue;
      const spec = specOf(job);
      if (spec.suspend) {
        this.pods = this.pods.filter(({ jobUid, facts }) => jobUid !== job.uid || isDone(facts));
        this.#condition(job, 'Suspended', 'True');
        continue;
      }
      if (job.conditions.get('Suspended')?.status === 'True') {
        this.#condition(job, 'Suspended', 'False');
        job.started = this.now;
      }
      job.started ??= this.now;
      this.#start(name, job, spec);
    }
  }

  /** Ends a running pod, with success or with a permanent failure. */
  end(pod: SimulatedPod, outcome: 'Succeeded' | 'Failed', reason = 'BackoffLimitExceeded', message = 'failed'): void {
    const job = [...this.jobs.values()].find(({ uid }) => uid === pod.jobUid);
    this.pods = this.pods.map((other) => (other === pod ? { ...pod, facts: { ...pod.facts, phase: outcome } } : other));
    if (!job || job.ended !== undefined) return;
    (outcome === 'Succeeded' ? job.succeeded : job.failed).add(pod.index);
    if (outcome === 'Succeeded') this.successes.add(`${runOf(job)}/${job.object.metadata.name}/${pod.index}`);
    const spec = specOf(job);
    const count = spec.completions ?? 1;
    const indexed = spec.completionMode === 'Indexed';
    if (outcome === 'Failed' && (!indexed || reason === 'PodFailurePolicy'))
      this.#finish(job, 'Failed', reason, message);
    else if (spec.maxFailedIndexes !== undefined && job.failed.size > spec.maxFailedIndexes)
      this.#finish(
        job,
        'Failed',
        'MaxFailedIndexesExceeded',
        'Job has exceeded the specified maximal number of failed indexes',
      );
    else if (meetsPolicy(spec, job.succeeded))
      this.#finish(job, 'Complete', 'SuccessPolicy', 'Matched rules at index 0');
    else if (job.succeeded.size === count)
      this.#finish(job, 'Complete', 'CompletionsReached', 'Reached expected number of succeeded pods');
    else if (job.succeeded.size + job.failed.size === count)
      this.#finish(job, 'Failed', 'FailedIndexes', 'Job has failed indexes');
  }

  /** Fails a Job as its own deadline does. */
  expire(name: string): void {
    this.#finish(this.#job(name), 'Failed', 'DeadlineExceeded', 'Job was active longer than specified deadline');
  }

  get running(): SimulatedPod[] {
    return this.pods.filter(({ facts }) => !isDone(facts));
  }

  /** Pods that run but are not ready, as `Job/index`. */
  readonly unready = new Set<string>();

  observed(): Observed {
    const readyPods = (uid: string, name: string) =>
      this.running.filter(({ jobUid, index }) => jobUid === uid && !this.unready.has(`${name}/${index}`)).length;
    const owned = [...this.jobs].map(([name, job]) => childOf(name, job, readyPods(job.uid, name)));
    return { owned, child: (kind, name) => owned.find((child) => child.kind === kind && child.name === name) };
  }

  get facts(): PodFacts[] {
    return this.pods.map(({ facts }) => facts);
  }

  #job(name: string): SimulatedJob {
    const job = this.jobs.get(name);
    if (!job) throw new Error(`Job ${name} not found`);
    return job;
  }

  #start(name: string, job: SimulatedJob, spec: Spec): void {
    const own = this.pods.filter(({ jobUid, facts }) => jobUid === job.uid && !isDone(facts));
    const unavailable = new Set([...own.map(({ index }) => index), ...job.succeeded, ...job.failed]);
    let active = own.length;
    for (let index = 0; index < (spec.completions ?? 1) && active < (spec.parallelism ?? 1); index++) {
      if (unavailable.has(index)) continue;
      active++;
      this.starts.push({ run: runOf(job), job: name, index, at: this.now });
      this.pods.push({
        jobUid: job.uid,
        index,
        facts: podFacts(name, job.uid, index, this.now, this.starts.length, this.placer()),
      });
    }
  }

  #finish(job: SimulatedJob, type: 'Complete' | 'Failed', reason: string, message: string): void {
    job.ended = this.now;
    this.#condition(job, type, 'True', reason, message);
    this.pods = this.pods.filter(({ jobUid, facts }) => jobUid !== job.uid || isDone(facts));
  }

  #condition(job: SimulatedJob, type: string, status: string, reason = '', message = ''): void {
    if (job.conditions.get(type)?.status !== status)
      job.conditions.set(type, { status, reason, message, at: this.now });
  }
}

export const isDone = ({ phase }: PodFacts): boolean => phase === 'Succeeded' || phase === 'Failed';
const specOf = (job: SimulatedJob): Spec => job.object['spec'] as Spec;
const runOf = (job: SimulatedJob): string => job.object.metadata.annotations?.[metadataKeys.run] ?? '';

const meetsPolicy = ({ successPolicy }: Spec, succeeded: ReadonlySet<number>): boolean =>
  (successPolicy?.rules ?? []).some(({ succeededIndexes, succeededCount }) => {
    const required = succeededIndexes === undefined ? undefined : parseIndexes(succeededIndexes);
    const met = [...succeeded].filter((index) => !required || required.has(index)).length;
    return met >= (succeededCount ?? required?.size ?? Infinity);
  });

function podFacts(
  job: string,
  uid: string,
  index: number,
  created: number,
  serial: number,
  node: string | undefined,
): PodFacts {
  return {
    name: `${job}-${index}-${serial}`,
    namespace: 'shop',
    uid: `pod-${serial}`,
    resourceVersion: '1',
    deleting: false,
    created,
    index,
    controller: { kind: 'Job', name: job, uid },
    ...(node !== undefined && { node }),
    phase: node === undefined ? 'Pending' : 'Running',
    ready: node !== undefined,
    containerIssues: [],
    requests: { cpu: 1000 },
  };
}

function childOf(name: string, job: SimulatedJob, ready: number): Child {
  const { uid, object, conditions, started, succeeded, failed, ended } = job;
  const run = object.metadata.annotations?.[metadataKeys.run];
  const indexed = specOf(job).completionMode === 'Indexed';
  return {
    kind: object.kind,
    name,
    namespace: 'shop',
    uid,
    resourceVersion: '1',
    generation: 1,
    deleting: false,
    controller: owner,
    ...(run !== undefined && { run }),
    digest: '',
    status: {
      conditions: [...conditions].map(([type, { at, ...rest }]) => ({ type, ...rest, lastTransitionTime: iso(at) })),
      ...(started !== undefined && { startTime: iso(started) }),
      ...(ended !== undefined && conditions.has('Complete') && { completionTime: iso(ended) }),
      ready,
      succeeded: succeeded.size,
      failed: failed.size,
      ...(indexed && { completedIndexes: formatIndexes(succeeded), failedIndexes: formatIndexes(failed) }),
    },
    content: () => ({ ...object, metadata: { ...object.metadata, uid, resourceVersion: '1' } }) as LiveObject,
  };
}
