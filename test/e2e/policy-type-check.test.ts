import { apiVersion, parseManifest, type ManifestInput, type PlatformManifest } from '../../lib/api';
import { defaultPlatform, defaultProfile, expandPlatform, installManifests, resolvePlatform } from '../../lib/expand';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeCluster } from '../control-plane/cluster-suite';
import { waitFor } from '../control-plane/wait-for';
import { applyAll } from './cluster-setup';

/** An admission policy with the result of its type check. */
interface CheckedPolicy {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly typeChecking?: {
      readonly expressionWarnings?: readonly { readonly fieldRef: string; readonly warning: string }[];
    };
  };
}

const image = 'registry.example.com/pinion/controller:1.0.0';
const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop' },
};
const documents = [defaultPlatform, defaultProfile, project];
const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

describeCluster(
  'type checks of the admission policies',
  (cluster) => {
    const policies = async (): Promise<readonly CheckedPolicy[]> => {
      const { body } = expectStatus(await cluster().client.request('GET', path), [200]);
      return (body as { readonly items: readonly CheckedPolicy[] }).items;
    };

    beforeAll(async () => {
      const context = resolvePlatform(documents.map((one) => parseManifest(one)) as PlatformManifest[]);
      const { client } = cluster();
      // The types of a kind must be known before a policy on it is checked, which is once for each generation.
      const installed = installManifests({ image, documents });
      const definitions = installed.filter(({ kind }) => kind === 'CustomResourceDefinition');
      for (const definition of definitions) await client.createCrd(definition as SendableObject);
      await applyAll(client, [
        ...installed.filter((object) => !definitions.includes(object)),
        ...expandPlatform(context),
      ]);
    }, 120_000);

    test('have no warning, and a status of a size that the API server accepts', async () => {
      // kube-controller-manager retries a status that is too large with growing delays.
      const isChecked = ({ metadata, status }: CheckedPolicy) => status?.observedGeneration === metadata.generation;
      await waitFor('each policy to be checked', async () => (await policies()).every(isChecked), { timeout: 120_000 });
      const checked = await policies();
      expect(checked.length).toBeGreaterThan(20);
      const warnings = checked.flatMap(({ metadata, status }) =>
        (status?.typeChecking?.expressionWarnings ?? []).map(({ fieldRef, warning }) => [
          metadata.name,
          fieldRef,
          warning.split('\n')[0],
        ]),
      );
      expect(warnings).toEqual([]);
    }, 150_000);
  },
  { nodes: 1, checksPolicyTypes: true },
);
