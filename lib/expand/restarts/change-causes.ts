import { type PlatformManifest, type Workload } from '../../api';
import { expandUnchecked } from '../expand';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { createProjectContext, type ProjectContext } from '../project-context';
import { changedSteps, formatSteps, type Steps } from './field-differences';
import { effectOn, type ObjectEffect } from './pod-effect';
import { revertField } from './revert-field';

/** Inputs of an expansion. */
export interface ExpansionSource {
  readonly workload: Workload;
  readonly context: ProjectContext;
}

/** Field of an input behind a change. */
export interface ChangeCause {
  /** Input that has the field. */
  readonly by: 'workload' | 'project' | 'platform' | 'profile';
  /** Its manifest, such as `PinterestService shop/cart`. */
  readonly object: string;
  /** Field of the manifest; absent if only several of its changes together have the effect. */
  readonly path?: string;
}

/** Change of one object, whose causes are wanted. */
export interface TracedChange extends ObjectEffect {
  /** Returns the object among others. */
  readonly find: (objects: readonly KubernetesObject[]) => KubernetesObject | undefined;
}

/** Maximum number of changed fields of a manifest that are undone one by one; beyond it, all are undone at once. */
const maxTrials = 200;

type Input = ChangeCause['by'];

/** An input without one of its changes. */
interface Trial {
  readonly cause: ChangeCause;
  readonly source: (after: ExpansionSource) => ExpansionSource;
}

/**
 * Returns the causes of each change: undoes one changed field of the inputs at a time, and compares the expansions.
 *
 * If no field has the effect alone, the causes are whole manifests.
 */
export function causesOf(
  before: ExpansionSource,
  after: ExpansionSource,
  changes: readonly TracedChange[],
): (readonly ChangeCause[])[] {
  const current = { ...after, context: plainContext(after.context) };
  const base = tryExpand(current);
  if (!base) return changes.map(() => []);
  const found = changes.map((): ChangeCause[] => []);
  const run = (trials: readonly Trial[], indexes: readonly number[]): void => {
    for (const { cause, source } of trials) {
      const objects = tryExpand(source(current));
      for (const index of objects ? indexes : [])
        if (hasEffect(changes[index] as TracedChange, objects ?? [], base)) found[index]?.push(cause);
    }
  };
  const all = changes.flatMap(({ effect }, index) => (effect === 'unchanged' ? [] : index));
  run([...workloadTrials(before, after), ...contextTrials(before.context, after.context)], all);
  const unexplained = all.filter((index) => found[index]?.length === 0);
  if (unexplained.length > 0) run(manifestTrials(before, after), unexplained);
  return found;
}

/** Returns whether undoing a field also undoes a part of a change. */
function hasEffect(
  { effect, fields, find }: TracedChange,
  trial: readonly KubernetesObject[],
  base: readonly KubernetesObject[],
): boolean {
  const [undone, current] = [find(trial), find(base)];
  if (!undone || !current) return (effect === 'created' || effect === 'removed') && (undone ?? current) !== undefined;
  const paths = new Set(fields.map(({ path }) => path));
  return effectOn(undone, current).fields.some(({ path }) => paths.has(path));
}

function workloadTrials(before: ExpansionSource, after: ExpansionSource): Trial[] {
  const changed = changedSteps(writtenPart(before.workload), writtenPart(after.workload));
  return (changed.length > maxTrials ? [] : changed).map((steps) => workloadTrial(before, after, steps));
}

const workloadTrial = (before: ExpansionSource, { workload }: ExpansionSource, steps: Steps): Trial => ({
  cause: causeOf('workload', workload, steps),
  source: (after) => ({ ...after, workload: revertField(after.workload, before.workload, steps) as Workload }),
});

const writtenPart = ({ metadata: { labels, annotations }, spec }: Workload): object => ({
  metadata: { labels, annotations },
  spec,
});

/** Contexts without one of their changes, by the contexts before and after: all workloads of a project share them. */
const cachedTrials = new WeakMap<ProjectContext, WeakMap<ProjectContext, readonly Trial[]>>();

function contextTrials(before: ProjectContext, after: ProjectContext): readonly Trial[] {
  const known = cachedTrials.get(before) ?? new WeakMap<ProjectContext, readonly Trial[]>();
  cachedTrials.set(before, known);
  const trials = known.get(after) ?? contextInputs.flatMap((input) => inputTrials(input, before, after));
  known.set(after, trials);
  return trials;
}

const contextInputs = ['project', 'platform', 'profile'] as const;
type ContextInput = (typeof contextInputs)[number];

function inputTrials(input: ContextInput, before: ProjectContext, after: ProjectContext): Trial[] {
  if (before[input] === after[input]) return [];
  const changed = changedSteps(contentOf(before[input]), contentOf(after[input])).map(atPart);
  const distinct = [...new Map(changed.map((steps) => [formatSteps(steps), steps])).values()];
  return (distinct.length > maxTrials ? [] : distinct).map((steps) => contextTrial(input, before, after, steps));
}

function contextTrial(input: ContextInput, before: ProjectContext, after: ProjectContext, steps: Steps): Trial {
  let context: ProjectContext | undefined;
  const reverted = (): ProjectContext =>
    plainContext({ ...after, [input]: revertField(after[input], before[input], steps) });
  return {
    cause: causeOf(input, after[input], steps),
    source: (source) => ({ ...source, context: (context ??= reverted()) }),
  };
}

/** Profiles have many fields, and their parts have names that users know. */
const atPart = (steps: Steps): Steps => (steps[1] === 'parts' || steps[1] === 'env' ? steps.slice(0, 3) : steps);

const contentOf = ({ kind, metadata, spec }: PlatformManifest): object => ({
  ...(kind === 'RuntimeProfile' && { metadata: { name: metadata.name } }),
  spec,
});

/** Returns the trials that undo all changes of a manifest. */
const manifestTrials = (before: ExpansionSource, after: ExpansionSource): Trial[] =>
  [
    workloadTrial(before, after, []),
    ...contextInputs.map((input) => contextTrial(input, before.context, after.context, [])),
  ].filter(({ cause }) => cause.by === 'workload' || before.context[cause.by] !== after.context[cause.by]);

function causeOf(by: Input, { kind, metadata }: Workload | PlatformManifest, steps: Steps): ChangeCause {
  const { namespace } = metadata as { readonly namespace?: string };
  const object = `${kind} ${namespace === undefined || namespace === '' ? '' : `${namespace}/`}${metadata.name}`;
  return { by, object, ...(steps.length > 0 && { path: formatSteps(steps) }) };
}

const plainContexts = new WeakMap<ProjectContext, ProjectContext>();

/** Returns a context as the trials build it, so that they differ only by the field that they undo. */
function plainContext(context: ProjectContext): ProjectContext {
  const { platform, profile, project } = context;
  const plain = plainContexts.get(context) ?? createProjectContext(platform, profile, project);
  plainContexts.set(context, plain);
  return plain;
}

/** Returns an expansion; undefined if the inputs do not fit each other. */
function tryExpand({ workload, context }: ExpansionSource): readonly KubernetesObject[] | undefined {
  try {
    return expandUnchecked(workload, context);
  } catch {
    return undefined;
  }
}
