import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { apiVersion, isPlatformKind, isWorkloadKind, type ManifestInput } from '../../../lib/api';
import { defaultPlatform, defaultProfile } from '../../../lib/expand';
import { goodPod } from '../../api/native/pod-cases';
import { goldenCases } from '../golden-cases';
import { platformManifests } from '../platform-manifests';
import { richPatchExceptions } from '../patch-cases';
import { platformRuleCases } from '../platform-rule-cases';

const examples = join(__dirname, '..', '..', '..', 'examples');

const exampleInputs: readonly ManifestInput[] = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml') && !path.includes('.github'))
  .sort()
  .flatMap((path) => loadAll(readFileSync(join(examples, path), 'utf8')) as readonly ManifestInput[])
  .filter((input) => input.apiVersion === apiVersion);

/** Workloads of all examples, golden cases and platform rules. */
export const workloadInputs: readonly ManifestInput[] = [
  ...exampleInputs,
  ...goldenCases.flatMap(({ inputs }) => inputs),
  ...platformRuleCases.map(({ input }) => input),
].filter(({ kind }) => isWorkloadKind(kind));

/** Platforms, RuntimeProfiles and Projects of all examples, golden cases and tests. */
export const platformInputs: readonly ManifestInput[] = [
  ...exampleInputs,
  ...goldenCases.flatMap((one) => one.platformInputs),
  ...platformManifests,
].filter(({ kind }) => isPlatformKind(kind));

/** Returns the different entries of a list of all Platforms, by name. */
function ofAllPlatforms<T>(entriesOf: (spec: ManifestInput<'Platform'>['spec']) => readonly T[] | undefined): T[] {
  const nameOf = (entry: T): unknown => (entry as { readonly name?: string }).name ?? entry;
  const entries = platformInputs.flatMap((input) =>
    input.kind === 'Platform' ? (entriesOf(input.spec as ManifestInput<'Platform'>['spec']) ?? []) : [],
  );
  return [...new Map(entries.map((entry) => [nameOf(entry), entry])).values()];
}

const tiers = ofAllPlatforms((spec) => spec.tiers);

/** Project that may use everything that the Platform offers. */
const project = (name: string, spec: object): ManifestInput<'Project'> => ({
  apiVersion,
  kind: 'Project',
  metadata: { name },
  spec: {
    team: name,
    infrastructure: true,
    tiers: tiers.map((tier) => tier.name),
    iamRoles: ['reader', 'writer'],
    ...spec,
  },
});

/** Manifests of a cluster that offers what the documents ask for, in a restricted and in a privileged project. */
export const cluster: readonly ManifestInput[] = [
  defaultProfile,
  {
    ...defaultPlatform,
    spec: {
      ...defaultPlatform.spec,
      tiers,
      pools: ofAllPlatforms((spec) => spec.pools),
      zones: ofAllPlatforms((spec) => spec.zones),
      storage: { classes: ofAllPlatforms((spec) => spec.storage?.classes) },
      scaling: { customAdapter: 'prometheus-adapter', externalAdapter: 'keda', scheduledAdapter: 'schedule-exporter' },
      ingress: {
        internal: { ingressClassName: 'internal' },
        external: { ingressClassName: 'external' },
        allowedAnnotations: ['example.com/*', 'example.org/*'],
      },
      patchExceptions: richPatchExceptions as never,
    },
  },
  project('shop', { hosts: ['www.example.com', '*.cdn.example.com', 'shop.example.com'] }),
  project('machines', {
    podSecurity: 'privileged',
    host: { network: true, pid: true, ipc: true, privileged: true, paths: ['/'] },
  }),
];

/** Documents whose fields are set in others: with those of a pod that uses most Kubernetes fields. */
export const fragmentSources: readonly object[] = [
  ...workloadInputs,
  ...platformInputs,
  { spec: { template: { spec: goodPod() } } },
];
