import { apiVersion, parseManifest, type ManifestInput, type PlatformManifest, type WorkloadKind } from '../../lib/api';
import { defaultPlatform, defaultProfile, resolvePlatform, type PlatformContext } from '../../lib/expand';
import { type ImpactDocument, type ImpactSide } from '../../lib/impact';

type PlatformFields = Partial<ManifestInput<'Platform'>['spec']>;
type Profile = ManifestInput<'RuntimeProfile'>;

const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2' }] } };

/** Returns a workload of a kind as a document. */
export const documentOf = <K extends WorkloadKind>(
  kind: K,
  name: string,
  spec: object = {},
  project = 'shop',
): ImpactDocument => ({ kind, metadata: { name, namespace: project }, spec: { ...specs[kind], ...spec } });

const specs: Readonly<Record<WorkloadKind, object>> = {
  PinterestService: { replicas: 2, loadBalancer: { port: 8080 }, template },
  PinterestCronJob: { schedule: '0 3 * * *', template },
  PinterestDaemon: { template },
  PinterestStatefulSet: { replicas: 3, template },
  PinterestJobSet: { shards: 2, template },
  PinterestTrainingJob: { framework: 'pytorch', roles: { worker: { replicas: 2, template } } },
};

/** Returns a Project as a manifest. */
export const projectOf = (
  name: string,
  spec: Partial<ManifestInput<'Project'>['spec']> = {},
): PlatformManifest<'Project'> =>
  parseManifest({
    apiVersion,
    kind: 'Project',
    metadata: { name },
    spec: { team: `team-${name}`, infrastructure: true, ...spec },
  });

/** Returns a profile of the built-in one with another name and version of the image of a sidecar. */
export const profileOf = (name: string, tag: string): Profile => ({
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name },
  spec: {
    version: `${tag}.0.0`,
    summary: 'A profile for tests.',
    parts: [
      {
        name: 'logs',
        summary: 'A placeholder sidecar.',
        injection: 'Required',
        kinds: ['PinterestService', 'PinterestCronJob', 'PinterestJobSet'],
        pod: {
          sidecars: [
            {
              name: 'pinion-logs',
              image: `registry.example.com/logs:${tag}`,
              resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '32Mi' } },
            },
          ],
        },
      },
    ],
  },
});

/** Returns the cluster of a Platform with changed fields. */
export const clusterOf = (
  fields: PlatformFields = {},
  profiles: readonly Profile[] = [defaultProfile],
  projects: readonly PlatformManifest<'Project'>[] = [projectOf('shop')],
): PlatformContext =>
  resolvePlatform([
    parseManifest({ ...defaultPlatform, spec: { ...defaultPlatform.spec, ...fields } }),
    ...profiles.map((profile) => parseManifest(profile)),
    ...projects,
  ]);

/** Returns a side of a change. */
export const sideOf = (cluster: PlatformContext, workloads: readonly ImpactDocument[], label = 'side'): ImpactSide => ({
  label,
  cluster,
  workloads,
});
