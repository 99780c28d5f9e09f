import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Deployment } from '../contract';

/** Prometheus metrics of deployments. */
export class DeploymentMetrics {
  private readonly ended: Counter<'phase' | 'stage'>;
  private readonly seconds: Histogram<'phase'>;
  private readonly breakGlassTotal: Counter<'project' | 'stage'>;
  private readonly failures: Counter;

  constructor(registry: Registry, open: () => number) {
    const registers = [registry];
    this.ended = new Counter({
      name: 'pinion_submission_deployments_ended_total',
      help: 'Ended deployments, by result.',
      labelNames: ['phase', 'stage'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'pinion_submission_deployment_seconds',
      help: 'Time from the request of a deployment to its end.',
      labelNames: ['phase'],
      buckets: [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
      registers,
    });
    this.breakGlassTotal = new Counter({
      name: 'pinion_submission_break_glass_total',
      help: 'Deployments that bypassed the publishers of a protected stage.',
      labelNames: ['project', 'stage'],
      registers,
    });
    this.failures = new Counter({
      name: 'pinion_submission_drive_failures_total',
      help: 'Deployment steps that failed and are retried.',
      registers,
    });
    new Gauge({
      name: 'pinion_submission_deployments_open',
      help: 'Deployments that were accepted and have not ended.',
      registers,
      collect() {
        this.set(open());
      },
    });
  }

  countEnd({ phase, stage, requestedAt, endedAt }: Deployment): void {
    this.ended.inc({ phase, stage });
    if (endedAt !== undefined) this.seconds.observe({ phase }, (Date.parse(endedAt) - Date.parse(requestedAt)) / 1000);
  }

  countBreakGlass({ project, stage }: Deployment): void {
    this.breakGlassTotal.inc({ project, stage });
  }

  countFailure(): void {
    this.failures.inc();
  }
}
