import { metadataKeys } from '../../api';
import { finalPhases, RequestFailed, ServiceUnreachable, type Deployment, type ServiceClient } from '../../contract';
import { type Clock, delay } from '../../kube';
import { type CanaryDeployer, type CanaryInput } from './canary-deployer';
import { CanaryFailure } from './canary-failure';
import { type CanaryPublisher } from './canary-publisher';
import { suspendedWorkload } from './kinds/pinterest-cron-job';

/** Services of the deployment path through the submission service. */
export interface SubmissionDeployerDeps {
  readonly client: ServiceClient;
  readonly publisher: CanaryPublisher;
  readonly clock: Clock;
  /** Stage of the canary's workflows. */
  readonly stage: string;
  readonly project: string;
}

/**
 * Returns the deployment path that publishes artifacts with the canary's identity and deploys them like any team.
 *
 * A version is the hash of its content, so runs publish nothing new unless something changed. Deploying the current version
 * again is not a deployment, so between runs each workflow is at a version whose only workload is suspended.
 */
export function submissionDeployer(deps: SubmissionDeployerDeps): CanaryDeployer {
  const { client, publisher, project, stage, clock } = deps;
  const deployed = new Map<string, string>();
  const workflowOf = ({ metadata }: CanaryInput): string => metadata.name;
  const deploy = async (artifact: string, signal: AbortSignal): Promise<Deployment> => {
    const key = `canary-${clock.now().toString(36)}-${Math.floor(clock.random() * 2 ** 40).toString(36)}`;
    return callService(client.request('deploy', { body: { artifact, stage }, key }, signal));
  };
  const waitUntilReady = async (id: string, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && !(await isDeploymentReady(id))) await delay(clock, 500, signal);
  };
  const isDeploymentReady = async (id: string): Promise<boolean> => {
    const { phase, cause } = await callService(client.request('deployment', { params: { id } }));
    if (phase !== 'ready' && finalPhases.includes(phase))
      throw new CanaryFailure(`the deployment ended as ${phase}${cause ? `: ${cause.message}` : ''}`, {
        waitedFor: 'the deployment to be ready',
      });
    return phase === 'ready';
  };
  const suspend = async (workload: CanaryInput, signal: AbortSignal): Promise<void> => {
    const { id } = await deploy(
      await publisher.publish(
        workflowOf(workload),
        suspendedWorkload(`${workload.metadata.name}-rest`, workload.metadata.namespace ?? ''),
      ),
      signal,
    );
    await waitUntilReady(id, signal);
  };
  return {
    name: 'submission',
    async deploy(workload, signal) {
      // Ensures that the first version starts a deployment, whatever a killed run left behind.
      if (!deployed.has(workflowOf(workload))) await suspend(workload, signal);
      const artifact = await publisher.publish(workflowOf(workload), withStableLabel(workload));
      deployed.set(workflowOf(workload), (await deploy(artifact, signal)).id);
    },
    isReady: (workload) => isDeploymentReady(deployed.get(workflowOf(workload)) ?? ''),
    async rollBack(workload, signal) {
      const workflow = workflowOf(workload);
      const artifact = await publisher.publish(workflow, withStableLabel(workload));
      const body = { project, workflow, stage, version: artifact.slice(artifact.indexOf('@') + 1) };
      const key = `canary-${clock.now().toString(36)}-${Math.floor(clock.random() * 2 ** 40).toString(36)}`;
      deployed.set(workflow, (await callService(client.request('rollBack', { body, key }, signal))).id);
    },
    async isBlockedByQuota(workload, signal) {
      if (deployed.has(workflowOf(workload))) return false;
      try {
        const { id } = await deploy(await publisher.publish(workflowOf(workload), withStableLabel(workload)), signal);
        // An admitted deployment is not requested again and must be removed.
        deployed.set(workflowOf(workload), id);
        return false;
      } catch (error) {
        const { cause } = error as { readonly cause?: unknown };
        if (cause instanceof RequestFailed && /quota/i.test(cause.failure.title)) return true;
        throw error;
      }
    },
    async remove(workload, signal) {
      if (!deployed.has(workflowOf(workload))) return;
      await suspend(workload, signal);
      deployed.delete(workflowOf(workload));
    },
  };
}

/** Replaces the run ID label, which would create a new artifact in each run. */
const withStableLabel = (workload: CanaryInput): CanaryInput => ({
  ...workload,
  metadata: { ...workload.metadata, labels: { [metadataKeys.canary]: 'published' } },
});

/** Awaits a request to the service. Throws a `CanaryFailure` if it is rejected or gets no response. */
async function callService<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof RequestFailed) {
      const { status, title, detail, problems } = error.failure;
      const more = (problems ?? []).map(({ reason }) => reason).join('; ');
      const message = [title, detail, more].filter((text) => text).join(': ');
      throw new CanaryFailure(message, { call: { service: 'submission', status, message } }, { cause: error });
    }
    if (error instanceof ServiceUnreachable)
      throw new CanaryFailure(
        error.message,
        { call: { service: 'submission', status: 0, message: error.message } },
        { cause: error },
      );
    // The step timed out while the request was in flight.
    if (error instanceof Error && error.name === 'AbortError') {
      const message = 'no response before the step timed out';
      throw new CanaryFailure(message, { call: { service: 'submission', status: 0, message } }, { cause: error });
    }
    throw error;
  }
}
