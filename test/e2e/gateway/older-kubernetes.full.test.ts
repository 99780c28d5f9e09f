import {
  apiVersion,
  parseManifest,
  type ManifestInput,
  type PlatformKind,
  type PlatformManifest,
} from '../../../lib/api';
import {
  defaultPlatform,
  defaultProfile,
  expandPlatform,
  gatewayInjectionKind,
  resolvePlatform,
} from '../../../lib/expand';
import { withMutatingPolicies } from '../../../stacks/plan/bootstrap/control-plane/mutating-policies';
import { expectStatus } from '../../control-plane/api-response';
import { controlPlanePrograms, findBinaries } from '../../control-plane/binaries';
import { type SendableObject } from '../../control-plane/client';
import { existingClusterKubeconfig, unavailable } from '../../control-plane/existing-cluster';
import { RunningControlPlane } from '../../control-plane/running-control-plane';
import { describeRunning } from '../../control-plane/running-suite';
import { retryOnPortConflict } from '../../control-plane/start-control-plane';
import { TestAuthority } from '../../kube/certificates';
import { platformWithGateway } from '../../local/gateway-platform';
import { installPinion } from '../../local/install-pinion';
import { applyAll, createProject } from '../cluster-setup';

const older = '1.35';
const flags = withMutatingPolicies('1.35.6', {});
const [platform, profile] = platformWithGateway(new TestAuthority(), { stage: 'Observe' });
const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop' },
};
const documents: readonly ManifestInput<PlatformKind>[] = [
  profile ?? defaultProfile,
  { ...defaultPlatform, spec: { ...(platform as typeof defaultPlatform).spec, kubernetesVersion: older } },
  project,
];

const binaries = findBinaries([...controlPlanePrograms, 'kube-apiserver-1.35']);
const skipReason =
  existingClusterKubeconfig() === undefined
    ? 'skipped' in binaries
      ? binaries.skipped
      : undefined
    : unavailable.platform;

/** Starts a control plane of the older version. */
async function start(apiServerFlags: readonly string[]): Promise<RunningControlPlane> {
  if ('skipped' in binaries) throw new Error(binaries.skipped);
  const paths = { ...binaries.paths, 'kube-apiserver': binaries.paths['kube-apiserver-1.35'] };
  return retryOnPortConflict(() => RunningControlPlane.start({ paths, apiServerFlags }));
}
const suite = (apiServerFlags: readonly string[]) => ({
  what: 'the control plane',
  start: skipReason === undefined ? () => start(apiServerFlags) : { skipped: skipReason },
  timeout: 180_000,
});
const { apiVersion: served, plural } = gatewayInjectionKind(older);
const path = `/apis/${served}/${plural}`;

describeRunning(
  `an API server of ${older} with the flags of the cluster stack`,
  suite(Object.entries(flags).map(([name, value]) => `--${name}=${value}`)),
  (controlPlane) => {
    test('leads native pods to the gateway', async () => {
      const { client } = controlPlane();
      expect((await client.request('GET', '/version')).body).toMatchObject({ minor: '35' });
      await installPinion(controlPlane(), documents);
      const cluster = resolvePlatform(documents.map((document) => parseManifest(document)) as PlatformManifest[]);
      await applyAll(client, expandPlatform(cluster));
      await createProject(client, cluster.project('shop').project, cluster);
      const named = { name: 'default', namespace: 'shop' };
      expectStatus(await client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: named }), [200, 201]);
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'native', namespace: 'shop' },
        spec: {
          securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'app',
              image: 'registry.example.com/app:1.0.0',
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            },
          ],
        },
      } as SendableObject;
      await client.waitFor('pods to be led to the gateway', async () => {
        const { status, body } = await client.create(pod, { dryRun: true });
        return status === 201 && JSON.stringify(body).includes('"audience":"pinion-gateway"');
      });
    }, 180_000);
  },
);

describeRunning(`an API server of ${older} without these flags`, suite([]), (controlPlane) => {
  test('does not serve mutating admission policies', async () => {
    const { client } = controlPlane();
    expect((await client.request('GET', path)).status).toBe(404);
  });
});
