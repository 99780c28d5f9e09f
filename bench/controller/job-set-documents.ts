import { apiVersion, complete, type Input } from '../../lib/api';
import { defaultPlatform, expand, resolve } from '../../lib/expand';
import { type SentObject } from '../../lib/kube';

/** A profile that puts nothing into pods: the other controller has nothing to put into them either. */
const bareProfile: Input<'RuntimeProfile'> = {
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name: 'bare-1' },
  spec: { version: '1.0.0', summary: 'Nothing but the work itself.', parts: [] },
};

const { defaultQuota: _, ...platformSpec } = defaultPlatform.spec;

/** The platform of this comparison: no parts in pods, and no quota that holds work back. */
export const barePlatform: readonly [Input<'RuntimeProfile'>, Input<'Platform'>] = [
  bareProfile,
  { ...defaultPlatform, spec: { ...platformSpec, runtime: { profile: bareProfile.metadata.name } } },
];

/** A job set of equal shards. */
export const ourJobSet = (namespace: string, name: string, shards: number): Input<'PinterestJobSet'> => ({
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

/** The same work for the other controller, in its leanest form: one Indexed Job with the very pods of ours, and no Service. */
export function theirJobSet(namespace: string, name: string, shards: number): SentObject {
  const project: Input<'Project'> = {
    apiVersion,
    kind: 'Project',
    metadata: { name: namespace },
    spec: { team: 'bench' },
  };
  const world = resolve([...barePlatform.map((document) => complete(document)), complete(project)]);
  const objects = expand(complete(ourJobSet(namespace, name, shards)), world.project(namespace));
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
