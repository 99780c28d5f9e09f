import { parseManifest, metadataKeys, type ManifestInput, type Workload } from '../../lib/api';
import { planRun } from '../../lib/controller/run/plan-run';
import { type RunPlan, type FreeNode, type RunRecord } from '../../lib/controller/run/run-plan';
import { expand, type KubernetesObject } from '../../lib/expand';
import { makeProjectContext } from '../../lib/testing';
import { SimulatedJobs } from './simulated-jobs';

export type RunManifest = Workload<'PinterestJobSet' | 'PinterestTrainingJob'>;

/** When the controller is killed: after a number of writes, or before its record is stored. */
export interface Crash {
  /** Remaining writes. */
  readonly after?: number;
  /** Whether the status write fails. */
  readonly losesRecord?: boolean;
}

/** A workload, its Jobs and its record, and a controller that applies run plans. */
export class SimulatedRun {
  readonly jobs = new SimulatedJobs();
  record: RunRecord = { restarts: 0, succeeded: {}, failed: {} };
  /** Objects other than Jobs. */
  readonly others = new Set<string>();
  workload: RunManifest;
  freeCapacity: () => readonly FreeNode[] | undefined = () => [];
  #desired: readonly KubernetesObject[];

  constructor(input: ManifestInput) {
    this.workload = parseManifest(input) as RunManifest;
    this.#desired = expand(this.workload, makeProjectContext());
  }

  /** Applies another spec. */
  change(input: ManifestInput): void {
    this.workload = parseManifest(input) as RunManifest;
    this.#desired = expand(this.workload, makeProjectContext());
  }

  plan(): RunPlan {
    return planRun({
      workload: this.workload,
      desired: this.#desired,
      observed: this.jobs.observed(),
      pods: this.jobs.facts,
      record: this.record,
      schedulerSupportsGangs: false,
      freeNodes: this.freeCapacity,
      now: this.jobs.now,
    });
  }

  /** Runs one reconcile, which a crash ends early. */
  reconcile({ after = Infinity, losesRecord = false }: Crash = {}): RunPlan {
    const runPlan = this.plan();
    if (runPlan.writeFirst) {
      if (!losesRecord && after > 0) this.record = runPlan.record;
      return runPlan;
    }
    const done = this.#applyPlan(runPlan, after);
    if (done && !losesRecord) this.record = runPlan.record;
    return runPlan;
  }

  /** Alternates reconciles and syncs of the Job controller until nothing changes; `end` decides how pods end. */
  settle(end?: (jobs: SimulatedJobs) => void): RunPlan {
    let last = this.reconcile();
    for (let round = 0; round < 50; round++) {
      this.jobs.collectGarbage();
      this.jobs.sync();
      end?.(this.jobs);
      this.jobs.now += 1000;
      last = this.reconcile();
    }
    return last;
  }

  #applyPlan(runPlan: RunPlan, writes: number): boolean {
    const desiredJobs = new Map(
      runPlan.desired.filter(({ kind }) => kind === 'Job').map((job) => [job.metadata.name, job]),
    );
    const actions: (() => void)[] = [];
    for (const [name, { object }] of this.jobs.jobs) {
      const job = desiredJobs.get(name);
      if (!job || job.metadata.annotations?.[metadataKeys.run] !== object.metadata.annotations?.[metadataKeys.run])
        actions.push(() => this.jobs.delete(name));
      else if (isSuspended(job) !== isSuspended(object)) actions.push(() => this.jobs.update(job));
    }
    for (const [name, job] of desiredJobs) if (!this.jobs.jobs.has(name)) actions.push(() => this.jobs.create(job));
    for (const { uid } of runPlan.pods)
      actions.push(() => void (this.jobs.pods = this.jobs.pods.filter(({ facts }) => facts.uid !== uid)));
    for (const [at, action] of actions.entries()) {
      if (at >= writes) return false;
      action();
    }
    return writes >= actions.length;
  }
}

/** Returns whether a Job is suspended. */
export const isSuspended = (job: KubernetesObject): boolean => (job['spec'] as { suspend?: boolean }).suspend === true;

/** Returns the Jobs by name as `suspended` or `released`. */
export const jobsOf = (objects: readonly KubernetesObject[]): Record<string, 'suspended' | 'released'> =>
  Object.fromEntries(
    objects
      .filter(({ kind }) => kind === 'Job')
      .map((job) => [job.metadata.name, isSuspended(job) ? 'suspended' : 'released']),
  );
