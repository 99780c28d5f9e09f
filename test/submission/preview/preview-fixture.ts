import {
  amountsOf,
  apiVersion,
  parseManifest,
  isWorkloadKind,
  type ResourceList,
  type ManifestInput,
  type PlatformManifest,
  type PlatformKind,
  type SpecInput,
} from '../../../lib/api';
import { type ArtifactResource } from '../../../lib/artifact';
import { defaultPlatform, defaultProfile, type SchedulableNode } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { previewTarget, type PreviewResult } from '../../../lib/submission/preview/preview-target';
import { TargetSnapshot } from '../../../lib/submission/preview/target-snapshot';
import { type PlatformRecord } from '../../../lib/submission/preview/workload-contexts';

/** A cluster with a project `shop`; the platform adds nothing to its pods. */
export function targetOf({
  project = {},
  platform = {},
  nodes = 5,
  profiles = [],
  ...record
}: PlatformRecord & {
  readonly project?: Partial<SpecInput<'Project'>>;
  readonly platform?: Partial<SpecInput<'Platform'>>;
  readonly nodes?: readonly SchedulableNode[] | number;
  readonly profiles?: readonly ManifestInput<'RuntimeProfile'>[];
} = {}): TargetSnapshot {
  const bare = profile('bare-1');
  const spec = { ...defaultPlatform.spec, runtime: { profile: 'bare-1' }, defaultQuota: {}, ...platform };
  return new TargetSnapshot({
    name: 'prod-1',
    documents: [
      parseOnce({ ...defaultPlatform, spec }),
      parseOnce(bare),
      ...profiles.map(parseOnce),
      parseOnce({ apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec: { team: 'commerce', ...project } }),
    ],
    nodes,
    ...record,
  });
}

const parsed = new Map<string, PlatformManifest>();

/** Parses equal manifests once: property tests create thousands of targets. */
function parseOnce(input: ManifestInput<PlatformKind>): PlatformManifest {
  const key = JSON.stringify(input);
  const document = parsed.get(key) ?? parseManifest(input);
  parsed.set(key, document);
  return document;
}

/** Returns a profile that adds the given parts to every pod, none by default. */
export const profile = (
  name: string,
  parts: SpecInput<'RuntimeProfile'>['parts'] = [],
): ManifestInput<'RuntimeProfile'> => ({
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name },
  spec: { ...defaultProfile.spec, parts },
});

/** Returns a workload as in an artifact. */
export const published = (input: ManifestInput): ArtifactResource =>
  JSON.parse(JSON.stringify(input)) as ArtifactResource;

/** Returns a workload as the API server stores it, with defaults. */
export function liveWorkload(
  input: ManifestInput,
  overrides: {
    readonly uid?: string;
    readonly labels?: Record<string, string>;
    readonly profile?: string;
    readonly revision?: string;
  } = {},
): LiveObject {
  const { kind, metadata, spec } = parseManifest(input);
  if (!isWorkloadKind(kind)) throw new Error(`${kind} is not a workload`);
  const { name, namespace } = metadata;
  const labels = { ...metadata.labels, ...overrides.labels };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid: overrides.uid ?? `${kind}/${name}`, resourceVersion: '1', generation: 1, labels },
    spec,
    ...(overrides.profile !== undefined && {
      status: {
        runtimeProfile: overrides.profile,
        ...(overrides.revision !== undefined && { platformRevision: { name: overrides.revision } }),
      },
    }),
  };
}

/** Options of a preview; by default nothing is deployed. */
export interface SubmissionOptions {
  readonly target?: TargetSnapshot;
  readonly artifact: readonly ManifestInput[];
  readonly live?: readonly LiveObject[];
  readonly reservations?: ReadonlyMap<string, ResourceList>;
  readonly used?: Readonly<Record<string, string | number>>;
}

/** Previews a deployment to the stage `production` of the workflow `cart`. */
export const previewDeployment = ({
  target = targetOf(),
  artifact,
  live = [],
  reservations,
  used = {},
}: SubmissionOptions): PreviewResult =>
  previewTarget({
    target,
    project: 'shop',
    workflow: 'cart',
    stage: { name: 'production', resources: artifact.map(published) },
    live,
    reservations: reservations ?? new Map(),
    used: amountsOf(used),
  });

/** Returns a service with these pod requests. */
export const pods = (cpu: string, memory = '1Gi') => ({
  template: {
    spec: {
      securityContext: { runAsUser: 1000 },
      containers: [
        {
          name: 'app',
          image: 'registry.example.com/app:1.0.0',
          ports: [{ containerPort: 8080 }],
          resources: { requests: { cpu, memory }, limits: { memory } },
        },
      ],
    },
  },
});
