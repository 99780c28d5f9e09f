import { apiVersion, type ManifestInput, type PlatformKind } from '../../lib/api';
import { installManifests, type InstallOptions, type KubernetesObject } from '../../lib/expand';
import { expectStatus, isStarting } from '../control-plane/api-response';
import { type Client, type SendableObject } from '../control-plane/client';

/** Namespace and service account of the installed controller. */
export const controllerAccount = { namespace: 'pinion-controller', name: 'pinion-controller' } as const;

/** Target of the installation. */
interface Place {
  readonly client: Client;
}

/** Service account of the controller of Projects and the Platform, unless a single controller reconciles everything. */
export const platformControllerAccount = {
  namespace: 'pinion-controller',
  name: 'pinion-platform-controller',
} as const;

/**
 * Applies the installation without its Deployments: the controller runs as a process beside the simulated nodes; a single
 * one by default.
 */
export async function installPinion(
  place: Place,
  documents: readonly ManifestInput<PlatformKind>[],
  singleController = true,
): Promise<void> {
  const image = 'registry.example.com/pinion/controller:0.2.0';
  const objects = installManifests({ image, documents, singleController, ...gatewayImageOf(documents) });
  await applyInstallation(
    place,
    objects.filter(({ kind }) => kind !== 'Deployment'),
  );
}

/** Returns the image of the gateway for documents with one. */
export const gatewayImageOf = (
  documents: readonly ManifestInput<PlatformKind>[],
): Pick<InstallOptions, 'gatewayImage'> =>
  documents.some(({ kind, spec }) => kind === 'Platform' && 'gateway' in spec && spec.gateway !== undefined)
    ? { gatewayImage: 'registry.example.com/pinion/gateway:0.2.0' }
    : {};

/** Applies the complete installation, so that the controller runs in its pods. */
export const installWithPods = (place: Place, options: InstallOptions): Promise<void> =>
  applyInstallation(place, installManifests(options));

async function applyInstallation({ client }: Place, objects: readonly KubernetesObject[]): Promise<void> {
  const isDefinition = ({ kind }: KubernetesObject): boolean => kind === 'CustomResourceDefinition';
  // The API server takes half a second to serve each; together they take no longer.
  await Promise.all(
    objects.filter(isDefinition).map((definition) => client.createCrd(definition as unknown as SendableObject)),
  );
  for (const object of objects.filter((object) => !isDefinition(object)))
    expectStatus(await client.apply(object as SendableObject), [200, 201]);
  if (objects.some(({ kind }) => kind === 'Platform')) await policiesLoaded(client);
}

/** Waits until the API server has loaded the Platform as a parameter of policies; until then it rejects each workload. */
async function policiesLoaded(client: Client): Promise<void> {
  const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }] } };
  const metadata = { name: 'probe', namespace: 'default' };
  const workload = { apiVersion, kind: 'PinterestService', metadata, spec: { template } };
  await client.waitFor(
    'the policies to load',
    async () => !isStarting(await client.create(workload, { dryRun: true })),
  );
}
