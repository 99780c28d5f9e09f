import { type Caller, type Deployment } from '../contract';
import { errorText, type Log } from '../kube';
import { type DeploymentMetrics } from './deployment-metrics';
import { type DeploymentTarget } from './targets/deployment-target';

/** Recipients of notifications. */
interface NotifierDeps {
  readonly log: Log;
  readonly metrics: DeploymentMetrics;
  readonly targets: ReadonlyMap<string, Pick<DeploymentTarget, 'warn'>>;
  /** Webhook that is called for each break-glass deployment. @default - none */
  readonly webhook: string | undefined;
}

/** Notifies users and tools about deployments: by logs, metrics, events and a webhook. */
export class DeploymentNotifier {
  constructor(private readonly deps: NotifierDeps) {}

  /** Reports the end of a deployment, and why it failed. */
  notifyEnd(deployment: Deployment): void {
    const { log, metrics } = this.deps;
    const { cause } = deployment;
    metrics.countEnd(deployment);
    log.info('deployment ended', {
      ...logFieldsOf(deployment),
      ...(cause && { owner: cause.owner, reason: cause.reason }),
    });
  }

  /** Reports a deployment that bypasses the trusted publishers of a protected stage. */
  notifyBreakGlass(deployment: Deployment, caller: Caller): void {
    const { log, metrics, targets, webhook } = this.deps;
    const { project, workflow, version, stage, breakGlass = '' } = deployment;
    const fields = { ...logFieldsOf(deployment), subject: caller.subject, issuer: caller.issuer, why: breakGlass };
    const message = `${caller.subject} deploys ${workflow}@${version} to ${stage}, bypassing its trusted publishers: ${breakGlass}`;
    metrics.countBreakGlass(deployment);
    log.warn('break-glass', fields);
    for (const { name } of deployment.targets) targets.get(name)?.warn(project, 'BreakGlass', message);
    if (webhook === undefined) return;
    const logFailure = (reason: { readonly status: number } | { readonly error: string }): void =>
      log.error('break-glass webhook failed', { ...reason, id: deployment.id });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(fields);
    fetch(webhook, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000), redirect: 'error' }).then(
      ({ status }) => status >= 300 && logFailure({ status }),
      (error: unknown) => logFailure({ error: errorText(error) }),
    );
  }
}

const logFieldsOf = ({ id, project, workflow, version, stage, phase, digest }: Deployment) => ({
  ...{ id, project, workflow, version, stage, phase, digest },
});
