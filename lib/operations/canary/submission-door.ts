import { apiVersion, type ManifestInput, metadataKeys } from '../../api';
import { finalPhases, RequestFailed, ServiceUnreachable, type Deployment, type ServiceClient } from '../../contract';
import { type Clock, delay } from '../../kube';
import { type CanaryDeployer, type CanaryInput } from './canary-deployer';
import { CanaryFailure } from './canary-failure';
import { type CanaryPublisher } from './canary-publisher';

/** What the door through the submission service is made of. */
export interface SubmissionDoorDeps {
  readonly client: ServiceClient;
  readonly publisher: CanaryPublisher;
  readonly clock: Clock;
  /** Stage of the canary's workflows. */
  readonly stage: string;
  readonly project: string;
}

/**
 * Artifacts that the canary publishes by its own identity, and deploys by their names as any team does.
 *
 * A version is the hash of its content, so that runs publish nothing new while nothing changed. Between runs a workflow
 * stands at a version whose only workload is a suspended one: what stands already is no second deployment.
 */
export function submissionDoor(parts: SubmissionDoorDeps): CanaryDeployer {
  const { client, publisher, project, stage, clock } = parts;
  const standing = new Map<string, string>();
  const workflowOf = ({ metadata }: CanaryInput): string => metadata.name;
  const deploy = async (artifact: string, signal: AbortSignal): Promise<Deployment> => {
    const key = `canary-${clock.now().toString(36)}-${Math.floor(clock.random() * 2 ** 40).toString(36)}`;
    return said(client.request('deploy', { body: { artifact, stage }, key }, signal));
  };
  const settled = async (id: string, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && !(await isEnded(id))) await delay(clock, 500, signal);
  };
  const isEnded = async (id: string): Promise<boolean> => {
    const { phase, cause } = await said(client.request('deployment', { params: { id } }));
    if (phase !== 'ready' && finalPhases.includes(phase))
      throw new CanaryFailure(`the deployment ended as ${phase}${cause ? `: ${cause.message}` : ''}`, {
        waitedFor: 'the deployment to be ready',
      });
    return phase === 'ready';
  };
  const rest = async (workload: CanaryInput, signal: AbortSignal): Promise<void> => {
    const { id } = await deploy(await publisher.publish(workflowOf(workload), resting(workload)), signal);
    await settled(id, signal);
  };
  return {
    name: 'submission',
    async put(workload, signal) {
      // Whatever a killed run left standing, the first version is a deployment then.
      if (!standing.has(workflowOf(workload))) await rest(workload, signal);
      const artifact = await publisher.publish(workflowOf(workload), published(workload));
      standing.set(workflowOf(workload), (await deploy(artifact, signal)).id);
    },
    isReady: (workload) => isEnded(standing.get(workflowOf(workload)) ?? ''),
    async goBack(workload, signal) {
      const workflow = workflowOf(workload);
      const artifact = await publisher.publish(workflow, published(workload));
      const body = { project, workflow, stage, version: artifact.slice(artifact.indexOf('@') + 1) };
      const key = `canary-${clock.now().toString(36)}-${Math.floor(clock.random() * 2 ** 40).toString(36)}`;
      standing.set(workflow, (await said(client.request('rollBack', { body, key }, signal))).id);
    },
    async isHeldBack(workload, signal) {
      if (standing.has(workflowOf(workload))) return false;
      try {
        const { id } = await deploy(await publisher.publish(workflowOf(workload), published(workload)), signal);
        // What was let in is not asked for again, and has to be cleared.
        standing.set(workflowOf(workload), id);
        return false;
      } catch (error) {
        const { cause } = error as { readonly cause?: unknown };
        if (cause instanceof RequestFailed && /quota/i.test(cause.failure.title)) return true;
        throw error;
      }
    },
    async remove(workload, signal) {
      if (!standing.has(workflowOf(workload))) return;
      await rest(workload, signal);
      standing.delete(workflowOf(workload));
    },
  };
}

/** The label says that it is the canary's; its run would be another artifact each time. */
const published = (workload: CanaryInput): CanaryInput => ({
  ...workload,
  metadata: { ...workload.metadata, labels: { [metadataKeys.canary]: 'published' } },
});

/** What stands between runs: a workload that never runs. */
const resting = ({ metadata }: CanaryInput): ManifestInput<'PinterestCronJob'> => ({
  apiVersion,
  kind: 'PinterestCronJob',
  metadata: { name: `${metadata.name}-rest`, namespace: metadata.namespace ?? '' },
  spec: {
    schedule: '0 0 29 2 *',
    suspend: true,
    version: '1.0.0',
    template: {
      spec: {
        securityContext: { runAsUser: 65532, runAsGroup: 65532 },
        containers: [{ name: 'rest', image: 'registry.k8s.io/pause:3.10' }],
      },
    },
  },
});

/** Asks the service; a refusal, or no answer, becomes a failure of the step. */
async function said<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RequestFailed) {
      const { status, title, detail, problems } = error.failure;
      const more = (problems ?? []).map(({ reason }) => reason).join('; ');
      const message = [title, detail, more].filter((text) => text).join(': ');
      throw new CanaryFailure(message, { call: { of: 'submission', status, message } }, { cause: error });
    }
    if (error instanceof ServiceUnreachable)
      throw new CanaryFailure(
        error.message,
        { call: { of: 'submission', status: 0, message: error.message } },
        { cause: error },
      );
    // The time of the step ran out while it was waited for.
    if (error instanceof Error && error.name === 'AbortError') {
      const message = 'no answer in the time of the step';
      throw new CanaryFailure(message, { call: { of: 'submission', status: 0, message } }, { cause: error });
    }
    throw error;
  }
}
