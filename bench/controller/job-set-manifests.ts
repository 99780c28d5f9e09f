import { apiVersion, parseManifest, type ManifestInput } from '../../lib/api';
import { expand, resolvePlatform } from '../../lib/expand';
import { type SentObject } from '../../lib/kube';
import { barePlatform } from '../../test/local/bare-platform';

/** Returns a JobSet of equal shards. */
export const pinionJobSet = (namespace: string, name: string, shards: number): ManifestInput<'PinterestJobSet'> => ({
  apiVersion,
  kind: 'PinterestJobSet',
  metadata: { name, namespace },
  spec: { shards, template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2' }] } } },
});

interface Job {
  readonly kind: string;
  readonly spec: {
    readonly ttlSecondsAfterFinished?: number;
    readonly template: { readonly spec: { readonly serviceAccountName?: string } };
  };
}

/** Returns the minimal equivalent for the other controller: one Indexed Job with the same pods, and no Service. */
export function upstreamJobSet(namespace: string, name: string, shards: number): SentObject {
  const project: ManifestInput<'Project'> = {
    apiVersion,
    kind: 'Project',
    metadata: { name: namespace },
    spec: { team: 'bench' },
  };
  const context = resolvePlatform([...barePlatform.map((document) => parseManifest(document)), parseManifest(project)]);
  const objects = expand(parseManifest(pinionJobSet(namespace, name, shards)), context.project(namespace));
  const job = objects.find(({ kind }) => kind === 'Job') as unknown as Job;
  const { ttlSecondsAfterFinished, template, ...work } = job.spec;
  const pod = { ...template, spec: { ...template.spec, serviceAccountName: 'default' } };
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name, namespace },
    spec: {
      ttlSecondsAfterFinished,
      successPolicy: { operator: 'All' },
      startupPolicy: { startupPolicyOrder: 'AnyOrder' },
      network: { enableDNSHostnames: false, publishNotReadyAddresses: true },
      replicatedJobs: [{ name: 'shards', replicas: 1, template: { spec: { ...work, template: pod } } }],
    },
  } as SentObject;
}
