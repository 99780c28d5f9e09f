import { isError, isWorkloadKind, parseManifest, safeParseManifest } from '../../../lib/api';
import { type ManifestInput, type PlatformManifest, type Workload } from '../../../lib/api';
import {
  expandPlatform,
  expandProject,
  projectReferenceProblems,
  resolvePlatform,
  safeExpand,
  type KubernetesObject,
  type PlatformContext,
} from '../../../lib/expand';
import { SeededRandom } from '../chaos/seeded-random';
import { drawMutation, type FieldMutation } from './field-mutation';
import { Fragments } from './fragments';
import { cluster, fragmentSources, platformInputs, workloadInputs } from './fuzz-documents';

/** A changed document that pinion accepts. */
export interface Mutant {
  readonly base: ManifestInput;
  readonly mutations: readonly FieldMutation[];
  readonly accepted: Accepted;
}

/** Document that pinion accepts, and the objects that it expands to. */
export interface Accepted {
  readonly input: ManifestInput;
  readonly objects: readonly KubernetesObject[];
}

const parsedCluster = cluster.map((one) => parseManifest(one) as PlatformManifest);

/** The server closes the connection on larger requests, and stores no object of this size. */
const maxBytes = 1_500_000;
const isStorable = ({ input, objects }: Accepted): boolean =>
  [input, ...objects].every((object) => JSON.stringify(object).length < maxBytes);

/** Context of the cluster of the fuzz. */
export const context: PlatformContext = resolvePlatform(parsedCluster);

/** Workloads as this cluster accepts them: in the restricted project or, where they need more, in the privileged one. */
export const bases: readonly ManifestInput[] = workloadInputs.flatMap((input) =>
  ['shop', 'machines']
    .map((namespace) => ({ ...input, metadata: { ...input.metadata, namespace } }) as ManifestInput)
    .filter((moved) => accept(moved) !== undefined),
);

const sampleWorkloads = [...new Map(bases.map((input) => [input.kind, input])).values()].map(
  (input) => parseManifest(input) as Workload,
);

/** Returns a document with its objects; undefined if pinion reports an error, or one is too large for any server. */
export function accept(input: ManifestInput): Accepted | undefined {
  const accepted = expandAny(input);
  return accepted && isStorable(accepted) ? accepted : undefined;
}

function expandAny(input: ManifestInput): Accepted | undefined {
  const { manifest, problems } = safeParseManifest(input);
  if (!manifest || problems.some(isError)) return undefined;
  if (!isWorkloadKind(manifest.kind)) return acceptPlatformManifest(input, manifest as PlatformManifest);
  const workload = manifest as Workload;
  const { objects } = safeExpand(workload, context.project(workload.metadata.namespace));
  return objects && { input, objects };
}

/** Returns the objects of a platform manifest, and of a workload of each kind in its cluster. */
function acceptPlatformManifest(input: ManifestInput, manifest: PlatformManifest): Accepted | undefined {
  const others = parsedCluster.filter(({ kind }) => kind !== input.kind);
  // A profile is in use if it has the name that the Platform has of it, and the reverse.
  const profileName = manifest.kind === 'Platform' ? manifest.spec.runtime.profile : context.profile.metadata.name;
  const named = [...others, manifest].map((one) =>
    one.kind === 'RuntimeProfile' ? { ...one, metadata: { ...one.metadata, name: profileName } } : one,
  );
  try {
    const changed = resolvePlatform(named);
    if (manifest.kind === 'Project') {
      const project = manifest as PlatformManifest<'Project'>;
      if (projectReferenceProblems(project, changed).some(isError)) return undefined;
      const objects = expandProject(project, changed).map((object) => inExistingNamespace(object));
      return { input, objects };
    }
    const workloads = sampleWorkloads.flatMap((workload) => {
      const { objects = [] } = safeExpand(workload, changed.project(workload.metadata.namespace));
      return objects;
    });
    return { input, objects: [...(manifest.kind === 'Platform' ? expandPlatform(changed) : []), ...workloads] };
  } catch {
    return undefined;
  }
}

/** Returns an object of a Project in a namespace that exists: the server checks that before the object. */
const inExistingNamespace = ({ metadata, ...object }: KubernetesObject): KubernetesObject =>
  ({
    ...object,
    metadata: { ...metadata, ...(metadata.namespace !== undefined && { namespace: 'shop' }) },
  }) as KubernetesObject;

/** Returns a document with mutations. */
export const mutated = (base: ManifestInput, mutations: readonly FieldMutation[]): ManifestInput =>
  mutations.reduce<object>((document, mutation) => mutation.apply(document), base) as ManifestInput;

/** Draws mutants that pinion accepts; the same seed draws the same ones. */
export function drawMutants(count: number, seed: number): readonly Mutant[] {
  const random = new SeededRandom(seed);
  const fragments = new Fragments(fragmentSources);
  const mutants: Mutant[] = [];
  while (mutants.length < count) {
    const base = random.is(0.95) ? random.of(bases) : random.of(platformInputs);
    const mutations = [drawMutation(base, random, fragments)];
    if (random.is(0.3)) mutations.push(drawMutation(mutated(base, mutations), random, fragments));
    const accepted = accept(mutated(base, mutations));
    if (accepted) mutants.push({ base, mutations, accepted });
  }
  return mutants;
}
