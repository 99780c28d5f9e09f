import { type Input, type PlatformKind } from '../../lib/api';
import { install } from '../../lib/expand';
import { expectStatus } from '../control-plane/answer';
import { type SendableObject } from '../control-plane/client';
import { type Cluster } from '../control-plane/cluster';

/** Namespace and service account of the installed controller. */
export const controllerAccount = { namespace: 'pinion-controller', name: 'pinion-controller' } as const;

/** Applies the installation, its Deployment apart: the controller runs as a process beside the simulated nodes. */
export async function installPinion(cluster: Cluster, documents: readonly Input<PlatformKind>[]): Promise<void> {
  const objects = install({ image: 'registry.example.com/pinion/controller:0.1.0', documents });
  for (const object of objects.filter(({ kind }) => kind !== 'Deployment')) {
    if (object.kind === 'CustomResourceDefinition')
      await cluster.client.admitDefinition(object as unknown as SendableObject);
    else expectStatus(await cluster.client.applyForReal(object as SendableObject), [200, 201]);
  }
}
