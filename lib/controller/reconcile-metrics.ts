import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { conditionOf, type PinionKind, type WorkloadKind, workloadKinds } from '../api';
import { type InformerStores } from './observed/informer-stores';
import { registerIssueMetrics } from './issue-metrics';
import { registerRolloutMetrics } from './rollout-metrics';
import { type InstalledPolicies } from './verification/installed-policies';

/** Metrics of the controller and of its workloads. */
export class ReconcileMetrics {
  readonly #reconciles: Counter<'kind' | 'result'>;
  readonly #seconds: Histogram<'kind'>;

  constructor(
    registry: Registry,
    stores: Pick<InformerStores, 'resource' | 'resources' | 'children' | 'ownedBy' | 'sizes'>,
    policies: Pick<InstalledPolicies, 'changes'>,
    now: () => number,
  ) {
    const registers = [registry];
    this.#reconciles = new Counter({
      name: 'pinion_reconcile_total',
      help: 'Reconciles, by kind and result.',
      labelNames: ['kind', 'result'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'pinion_reconcile_time_seconds',
      help: 'Duration of a reconcile.',
      labelNames: ['kind'],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
      registers,
    });
    new Gauge({
      name: 'pinion_cached_objects',
      help: 'Objects in the cache, by kind.',
      labelNames: ['kind'],
      registers,
      collect() {
        for (const [kind, size] of stores.sizes()) this.set({ kind }, size);
      },
    });
    new Gauge({
      name: 'pinion_workloads',
      help: 'Workloads by kind and by whether they are ready.',
      labelNames: ['kind', 'ready', 'owner'],
      registers,
      collect() {
        this.reset();
        for (const kind of Object.keys(workloadKinds) as WorkloadKind[])
          for (const { status } of stores.resources(kind) as readonly { readonly status?: StatusFields }[])
            this.inc({ kind, ready: readyOf(status), owner: status?.cause?.owner ?? '' });
      },
    });
    new Gauge({
      name: 'pinion_changed_admission_policies',
      help: 'Admission policies and bindings of the installation that are missing or changed; 1 for each.',
      labelNames: ['kind', 'name', 'change'],
      registers,
      collect() {
        this.reset();
        for (const change of policies.changes) this.set({ ...change }, 1);
      },
    });
    new Gauge({
      name: 'pinion_unverified_workloads',
      help: 'Workloads of protected projects whose spec carries no trusted proof, by kind and reason.',
      labelNames: ['kind', 'reason'],
      registers,
      collect() {
        this.reset();
        for (const kind of Object.keys(workloadKinds) as WorkloadKind[])
          for (const { status } of stores.resources(kind) as readonly { readonly status?: StatusFields }[]) {
            const verified = conditionOf(status, 'Verified');
            if (verified?.status === 'False') this.inc({ kind, reason: verified.reason ?? '' });
          }
      },
    });
    new Gauge({
      name: 'pinion_held_workloads',
      help: 'Workloads that stay as they are because the controller alone would change their pods, by kind.',
      labelNames: ['kind'],
      registers,
      collect() {
        this.reset();
        for (const kind of Object.keys(workloadKinds) as WorkloadKind[])
          for (const { status } of stores.resources(kind))
            if (conditionOf(status, 'ExpansionDiffers')) this.inc({ kind });
      },
    });
    registerRolloutMetrics(registry, stores);
    registerIssueMetrics(registry, stores, now);
  }

  /** Records a reconcile and its duration in seconds. */
  observe(kind: PinionKind, result: 'done' | 'refused' | 'failed', seconds: number): void {
    this.#reconciles.inc({ kind, result });
    this.#seconds.observe({ kind }, seconds);
  }
}

interface StatusFields {
  readonly cause?: { readonly owner: string };
}

const readyOf = (status: StatusFields | undefined): string => conditionOf(status, 'Ready')?.status ?? 'Unknown';
