import { apiVersion, parseManifest, type ManifestInput } from '../../lib/api';
import { defaultPlatform, expand, resolvePlatform } from '../../lib/expand';
import { type SentObject } from '../../lib/kube';

/** A runtime profile without parts: the other controller adds nothing to pods either. */
const bareProfile: ManifestInput<'RuntimeProfile'> = {
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name: 'bare-1' },
  spec: { version: '1.0.0', summary: 'Only the workload itself.', parts: [] },
};

const { defaultQuota: _, ...platformSpec } = defaultPlatform.spec;

/** The platform of the comparison: no parts in pods, and no limiting quota. */
export const barePlatform: readonly [ManifestInput<'RuntimeProfile'>, ManifestInput<'Platform'>] = [
  bareProfile,
  { ...defaultPlatform, spec: { ...platformSpec, runtime: { profile: bareProfile.metadata.name } } },
];

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
