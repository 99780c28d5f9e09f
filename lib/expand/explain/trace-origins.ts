import {
  parseManifest,
  valueAt,
  type FieldPath,
  type ManifestInput,
  type PlatformManifest,
  type Workload,
} from '../../api';
import { alternatives } from './alternatives';
import { differences, leavesOf, type Leaf } from './differences';
import { expandUnchecked } from '../expand';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { type PreparedPart } from '../profile/runtime';
import { createProjectContext, type ProjectContext } from '../project-context';

/** Source of a generated field. */
export interface Origin {
  /** The user's manifest, a schema default, a platform resource, a patch, or the kind itself. */
  readonly by: 'user' | 'default' | 'platform' | 'project' | 'profile' | 'patch' | 'kind';
  /** Path in that manifest; for a default, the path that would override it. */
  readonly path?: FieldPath;
  /** Part of the runtime profile. */
  readonly part?: string;
  /** Whether it only causes the field to exist, while the value comes from the kind. @default false */
  readonly presence?: boolean;
}

/** Generated object with the source of each field. */
export interface ExplainedObject {
  readonly object: KubernetesObject;
  readonly leaves: readonly (Leaf & { readonly origins: readonly Origin[] })[];
}

/**
 * Returns the source of every generated field. It changes or removes one input at a time and compares expansions:
 * fields that change come from that input.
 *
 * The first origin of a field is the main one: the source of its exact value, otherwise a patch, the user, a platform
 * resource, a default or the kind, in this order. Origins cannot diverge from expand, because they are computed with it.
 */
export function traceOrigins(
  input: ManifestInput,
  workload: Workload,
  context: ProjectContext,
): readonly ExplainedObject[] {
  const base = expandUnchecked(workload, context);
  const originsByLeaf = new Map<string, FoundOrigin[]>();
  const recordOrigin = (origin: Origin, originalValue?: unknown) => (object: number, path: FieldPath) => {
    const key = keyOf(object, path);
    const origins = originsByLeaf.get(key) ?? [];
    const isExact =
      origin.by === 'patch' ||
      (originalValue !== undefined && String(originalValue) === String(valueAt(base[object], path)));
    if (!origins.some((known) => JSON.stringify(known.origin) === JSON.stringify(origin)))
      origins.push({ origin, isExact });
    originsByLeaf.set(key, origins);
  };
  for (const trial of [
    ...patchTrials(workload, context),
    ...userTrials(input, workload, context),
    ...platformTrials(workload, context),
    ...partTrials(workload, context),
    ...presenceTrials(input, context),
    ...defaultTrials(input, workload, context),
  ]) {
    const other = tryExpand(trial.expansion);
    if (other)
      differences(
        base,
        other,
        trial.changed && recordOrigin(trial.changed, trial.originalValue),
        trial.missing && recordOrigin(trial.missing),
      );
  }
  return base.map((object, index) => ({
    object,
    leaves: leavesOf(object).map((leaf) => ({
      ...leaf,
      origins: exactFirst(originsByLeaf.get(keyOf(index, leaf.path))),
    })),
  }));
}

interface FoundOrigin {
  readonly origin: Origin;
  /** Whether the generated value equals the value of the origin. */
  readonly isExact: boolean;
}

/** Sorts origins: those of the exact value come first. */
const exactFirst = (found: readonly FoundOrigin[] = []): readonly Origin[] =>
  found.length === 0
    ? [{ by: 'kind' }]
    : [...found.filter(({ isExact }) => isExact), ...found.filter(({ isExact }) => !isExact)].map(
        ({ origin }) => origin,
      );

interface Trial {
  readonly expansion: () => readonly KubernetesObject[];
  /** Origin of the fields whose value changed. */
  readonly changed?: Origin;
  /** Value that the trial changed. */
  readonly originalValue?: unknown;
  /** Origin of the fields that are missing. */
  readonly missing?: Origin;
}

const keyOf = (object: number, path: FieldPath): string => `${object} ${JSON.stringify(path)}`;

/** Returns an expansion; undefined if the changed input cannot be expanded. */
function tryExpand(expansion: () => readonly KubernetesObject[]): readonly KubernetesObject[] | undefined {
  try {
    return expansion();
  } catch {
    return undefined;
  }
}

function* patchTrials(workload: Workload, context: ProjectContext): Generator<Trial> {
  const patches = workload.spec.patches ?? [];
  for (const index of patches.keys()) {
    const origin: Origin = { by: 'patch', path: ['spec', 'patches', index] };
    const without = replaced(
      workload,
      ['spec', 'patches'],
      patches.filter((_, other) => other !== index),
    );
    yield { expansion: () => expandUnchecked(without, context), changed: origin, missing: origin };
  }
}

function* userTrials(input: ManifestInput, workload: Workload, context: ProjectContext): Generator<Trial> {
  const { name, namespace, labels, annotations } = input.metadata;
  const written = leavesOf({
    metadata: { name, namespace, labels, annotations },
    spec: { ...input.spec, patches: undefined },
  });
  for (const { path } of written)
    yield* alternativeTrials(workload, path, { by: 'user', path }, (changed) => expandUnchecked(changed, context));
}

function* defaultTrials(input: ManifestInput, workload: Workload, context: ProjectContext): Generator<Trial> {
  const written = new Set(leavesOf({ spec: input.spec }).map(({ path }) => JSON.stringify(path)));
  for (const { path } of leavesOf({ spec: { ...workload.spec, template: undefined, patches: undefined } })) {
    if (!written.has(JSON.stringify(path)))
      yield* alternativeTrials(workload, path, { by: 'default', path }, (changed) => expandUnchecked(changed, context));
  }
}

function* platformTrials(workload: Workload, context: ProjectContext): Generator<Trial> {
  const documents = [
    [
      'platform',
      context.platform,
      (platform: ProjectContext['platform']) => createProjectContext(platform, context.profile, context.project),
    ],
    [
      'project',
      context.project,
      (project: ProjectContext['project']) => createProjectContext(context.platform, context.profile, project),
    ],
  ] as const;
  for (const [by, document, rebuild] of documents) {
    for (const { path } of leavesOf({ spec: document.spec })) {
      yield* alternativeTrials(document as PlatformManifest, path, { by, path }, (changed) =>
        expandUnchecked(workload, rebuild(changed as never)),
      );
    }
  }
}

function* partTrials(workload: Workload, context: ProjectContext): Generator<Trial> {
  const without = (part: PreparedPart): ProjectContext => ({
    ...context,
    runtime: { ...context.runtime, parts: context.runtime.parts.filter((other) => other !== part) },
  });
  for (const prepared of context.runtime.parts) {
    if (prepared.part.pod === undefined) continue;
    const origin: Origin = { by: 'profile', part: prepared.part.name };
    yield { expansion: () => expandUnchecked(workload, without(prepared)), missing: origin };
  }
  yield {
    expansion: () => expandUnchecked(workload, { ...context, runtime: { ...context.runtime, env: [] } }),
    missing: { by: 'profile', path: ['spec', 'env'] },
  };
  const renamed = {
    ...context.profile,
    metadata: { ...context.profile.metadata, name: `${context.profile.metadata.name}x` },
  };
  yield {
    expansion: () => expandUnchecked(workload, { ...context, profile: renamed }),
    changed: { by: 'profile', path: ['metadata', 'name'] },
  };
}

/** Removes one user field at a time to find generated fields that exist only because of it. */
function* presenceTrials(input: ManifestInput, context: ProjectContext): Generator<Trial> {
  for (const field of Object.keys(input.spec)) {
    if (field === 'template' || field === 'patches') continue;
    const spec = Object.fromEntries(Object.entries(input.spec).filter(([key]) => key !== field));
    const without = { ...input, spec } as ManifestInput;
    yield {
      expansion: () => expandUnchecked(parseManifest(without) as Workload, context),
      missing: { by: 'user', path: ['spec', field], presence: true },
    };
  }
}

function* alternativeTrials<T extends Workload | PlatformManifest>(
  document: T,
  path: FieldPath,
  origin: Origin,
  expansion: (changed: T) => readonly KubernetesObject[],
): Generator<Trial> {
  for (const value of alternatives(document, path)) {
    yield {
      expansion: () => expansion(replaced(document, path, value)),
      changed: origin,
      originalValue: valueAt(document, path),
    };
  }
}

/** Returns a copy of a plain value with one field replaced; everything else is shared. */
function replaced<T>(value: T, path: FieldPath, by: unknown): T {
  const [step, ...rest] = path;
  if (step === undefined) return by as T;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string | number, unknown>;
  copy[step] = replaced(copy[step], rest, by);
  return copy as T;
}
