import { metadataKeys } from '../../api';
import { type KubeClient, resourceOf } from '../../kube';

/** Cordons a node, and annotates it with the start of its drain (milliseconds since 1970). */
export async function cordon(client: KubeClient, node: string, now: number): Promise<void> {
  await client.patch(
    resourceOf('Node'),
    { name: node },
    {
      metadata: { annotations: { [metadataKeys.draining]: new Date(now).toISOString() } },
      spec: { unschedulable: true },
    },
  );
}
