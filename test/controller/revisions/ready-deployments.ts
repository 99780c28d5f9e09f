import { resourceOf } from '../../../lib/kube';
import { type ControllerFixture } from '../controller-fixture';

/** Reports the pods of all Deployments as ready, as the controllers of Kubernetes do; those of `failing` names exceed their deadline. */
export async function reportReady(at: ControllerFixture, failing: readonly string[] = []): Promise<void> {
  const counts = { replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
  const exceeded = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'exceeded' };
  const { items } = await at.server.list(resourceOf('Deployment'));
  for (const { metadata } of items) {
    const { namespace = '', name, generation: observedGeneration } = metadata;
    const status = failing.includes(name)
      ? { ...counts, readyReplicas: 0, availableReplicas: 0, conditions: [exceeded] }
      : { ...counts, conditions: [] };
    at.change('Deployment', namespace, name, (object) => ({ ...object, status: { ...status, observedGeneration } }));
  }
}
