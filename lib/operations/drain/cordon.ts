import { keys } from '../../api';
import { type KubeClient, resourceOf } from '../../kube';

/** Keeps new pods from a node, and notes on it since when (milliseconds since 1970) it is being drained. */
export async function cordon(client: KubeClient, node: string, now: number): Promise<void> {
  await client.patch(
    resourceOf('Node'),
    { name: node },
    {
      metadata: { annotations: { [keys.draining]: new Date(now).toISOString() } },
      spec: { unschedulable: true },
    },
  );
}
