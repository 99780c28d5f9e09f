import { apiVersion, parseManifest, type ManifestInput, type PlatformKind, type SpecInput } from '../api';
import { resolvePlatform, type KubernetesObject, type ProjectContext } from '../expand';
import { changedLines } from './changed-lines';
import { type ProjectContextOverrides } from './make-project-context';
import { defaultContextOf, objectsOf } from './objects-of';
import { applyOverrides } from './overrides';
import { snapshotOf } from './snapshot';

/** What differs in the next version of a runtime profile. */
export type NextProfile = NonNullable<ProjectContextOverrides['profile']> & {
  /** Images of parts, by the name of the part. */
  readonly images?: Readonly<Record<string, string>>;
};

/**
 * Returns what the next version of a runtime profile changes in the objects of a workload, as text for a snapshot.
 *
 * `next` overrides the profile of the context. Objects that are added or removed have one line each; others have the
 * changed lines of `snapshotOf`, below their kind and name.
 */
export function profileChanges(
  workload: ManifestInput,
  next: NextProfile,
  context: ProjectContext = defaultContextOf(workload),
): string {
  const before = textsOf(objectsOf(workload, context));
  const after = textsOf(objectsOf(workload, withProfile(context, next)));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const blocks = names.flatMap((name) => {
    const [old, text] = [before.get(name), after.get(name)];
    if (old === undefined) return [`+ ${name}`];
    if (text === undefined) return [`- ${name}`];
    return old === text ? [] : [[name, ...changedLines(old, text).map((line) => `  ${line}`)].join('\n')];
  });
  return blocks.length === 0 ? 'no changes' : blocks.join('\n');
}

/** Returns a context with the next version of its profile. Throws a `ProblemsError` if it is invalid. */
function withProfile({ platform, profile, project }: ProjectContext, next: NextProfile): ProjectContext {
  const { name = profile.metadata.name, images, ...overrides } = next;
  const { runtime } = platform.spec;
  const parts = profile.spec.parts.map((part) => part.name);
  for (const part of Object.keys(images ?? {}))
    if (!parts.includes(part))
      throw new Error(`images.${part}: profile ${profile.metadata.name} has no such part; use ${parts.join(', ')}`);
  const documents = [
    manifest('Platform', platform.metadata.name, {
      ...platform.spec,
      runtime: { ...runtime, profile: name, images: { ...runtime.images, ...images } },
    }),
    manifest('RuntimeProfile', name, applyOverrides<SpecInput<'RuntimeProfile'>>(profile.spec, overrides)),
    project,
  ];
  return resolvePlatform(documents).project(project.metadata.name);
}

const manifest = <K extends PlatformKind>(kind: K, name: string, spec: SpecInput<K>) =>
  parseManifest({ apiVersion, kind, metadata: { name }, spec });

const textsOf = (objects: readonly KubernetesObject[]): ReadonlyMap<string, string> =>
  new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, snapshotOf([object])]));
