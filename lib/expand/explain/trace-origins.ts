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
  /** The user's manifest, a default of the schema, a platform resource, a patch, or the kind itself. */
  readonly by: 'user' | 'default' | 'platform' | 'project' | 'profile' | 'patch' | 'kind';
  /** Path in that manifest; for a default, the path that would override it. */
  readonly path?: FieldPath;
  /** Part of the runtime profile. */
  readonly part?: string;
  /** Whether it only causes the field to exist, and the value comes from the kind. @default false */
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
 * resource, a default, the kind, in this order. Origins cannot diverge from expand, because they are computed with it.
 */
export function traceOrigins(
  input: ManifestInput,
  workload: Workload,
  context: ProjectContext,
): readonly ExplainedObject[] {
  const base = expandUnchecked(workload, context);
  const found = new Map<string, Found[]>();
  const note = (origin: Origin, said?: unknown) => (object: number, path: FieldPath) => {
    const key = keyOf(object, path);
    const origins = found.get(key) ?? [];
    const whole = origin.by === 'patch' || (said !== undefined && String(said) === String(valueAt(base[object], path)));
    if (!origins.some((known) => JSON.stringify(known.origin) === JSON.stringify(origin)))
      origins.push({ origin, whole });
    found.set(key, origins);
  };
  for (const trial of [
    ...patchTrials(workload, context),
    ...userTrials(input, workload, context),
    ...documentTrials(workload, context),
    ...partTrials(workload, context),
    ...presenceTrials(input, context),
    ...defaultTrials(input, workload, context),
  ]) {
    const other = attempt(trial.expansion);
    if (other)
      differences(base, other, trial.changed && note(trial.changed, trial.said), trial.gone && note(trial.gone));
  }
  return base.map((object, index) => ({
    object,
    leaves: leavesOf(object).map((leaf) => ({
      ...leaf,
      origins: mainFirst(found.get(keyOf(index, leaf.path))),
    })),
  }));
}

interface Found {
  readonly origin: Origin;
  /** Whether the generated value equals the value of the origin. */
  readonly whole: boolean;
}

/** Sorts origins: those of the exact value come first. */
const mainFirst = (found: readonly Found[] = []): readonly Origin[] =>
  found.length === 0
    ? [{ by: 'kind' }]
    : [...found.filter(({ whole }) => whole), ...found.filter(({ whole }) => !whole)].map(({ origin }) => origin);

interface Trial {
  readonly expansion: () => readonly KubernetesObject[];
  /** Origin of the fields whose value changed. */
  readonly changed?: Origin;
  /** Value that the trial changed. */
  readonly said?: unknown;
  /** Origin of the fields that are missing. */
  readonly gone?: Origin;
}

const keyOf = (object: number, path: FieldPath): string => `${object} ${JSON.stringify(path)}`;

/** Returns an expansion; undefined if the changed input cannot be expanded. */
function attempt(expansion: () => readonly KubernetesObject[]): readonly KubernetesObject[] | undefined {
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
    yield { expansion: () => expandUnchecked(without, context), changed: origin, gone: origin };
  }
}

function* userTrials(input: ManifestInput, workload: Workload, context: ProjectContext): Generator<Trial> {
  const { name, namespace, labels, annotations } = input.metadata;
  const written = leavesOf({
    metadata: { name, namespace, labels, annotations },
    spec: { ...input.spec, patches: undefined },
  });
  for (const { path } of written)
    yield* changes(workload, path, { by: 'user', path }, (changed) => expandUnchecked(changed, context));
}

function* defaultTrials(input: ManifestInput, workload: Workload, context: ProjectContext): Generator<Trial> {
  const written = new Set(leavesOf({ spec: input.spec }).map(({ path }) => JSON.stringify(path)));
  for (const { path } of leavesOf({ spec: { ...workload.spec, template: undefined, patches: undefined } })) {
    if (!written.has(JSON.stringify(path)))
      yield* changes(workload, path, { by: 'default', path }, (changed) => expandUnchecked(changed, context));
  }
}

function* documentTrials(workload: Workload, context: ProjectContext): Generator<Trial> {
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
      yield* changes(document as PlatformManifest, path, { by, path }, (changed) =>
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
    yield { expansion: () => expandUnchecked(workload, without(prepared)), gone: origin };
  }
  yield {
    expansion: () => expandUnchecked(workload, { ...context, runtime: { ...context.runtime, env: [] } }),
    gone: { by: 'profile', path: ['spec', 'env'] },
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

/** Removes one field of the user at a time, which shows what exists only because of it. */
function* presenceTrials(input: ManifestInput, context: ProjectContext): Generator<Trial> {
  for (const field of Object.keys(input.spec)) {
    if (field === 'template' || field === 'patches') continue;
    const spec = Object.fromEntries(Object.entries(input.spec).filter(([key]) => key !== field));
    const without = { ...input, spec } as ManifestInput;
    yield {
      expansion: () => expandUnchecked(parseManifest(without) as Workload, context),
      gone: { by: 'user', path: ['spec', field], presence: true },
    };
  }
}

function* changes<T extends Workload | PlatformManifest>(
  document: T,
  path: FieldPath,
  origin: Origin,
  expansion: (changed: T) => readonly KubernetesObject[],
): Generator<Trial> {
  for (const value of alternatives(document, path)) {
    yield {
      expansion: () => expansion(replaced(document, path, value)),
      changed: origin,
      said: valueAt(document, path),
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
