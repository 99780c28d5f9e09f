import { isDeepStrictEqual } from 'node:util';
import { metadataKeys } from '../api';
import {
  distinctCauses,
  fieldDifferences,
  podChanges,
  type ChangeCause,
  type ComparedObjects,
  type ExpansionSource,
  type PodChange,
  type ProjectContext,
} from '../expand';

/** A side of a comparison whose inputs are known. */
export interface TracedSide extends ComparedObjects {
  readonly source: ExpansionSource;
}

/** Maximum number of classes of workloads whose causes are traced. */
const maxClasses = 1000;

/**
 * Traces causes by experiment, once for each class of workloads: those of a kind and tier whose pods and Projects change
 * in the same fields. A workload that itself changes is a class of its own.
 */
export class CauseTracer {
  private readonly classes = new Map<string, readonly ChangeCause[]>();
  private ownClasses = 0;
  /** Number of workloads that are in no traced class. */
  untraced = 0;

  /** Number of classes that were traced. */
  get traced(): number {
    return this.classes.size + this.ownClasses;
  }

  /** Returns the fields behind a change, such as `Platform cluster spec.environment`; empty if they are not traced. */
  of(before: TracedSide, after: TracedSide, changes: readonly PodChange[]): readonly string[] {
    const key = classOf(before.source, after.source, changes);
    const known = key === undefined ? undefined : this.classes.get(key);
    if (!known && this.traced >= maxClasses) {
      this.untraced++;
      return [];
    }
    const found = known ?? distinctCauses(podChanges(before, after));
    if (key === undefined) this.ownClasses++;
    else this.classes.set(key, found);
    const { context } = after.source;
    if (found.length === 0) return togetherOf(before.source.context, context);
    const isOnlyRecord = changes.every(({ fields }) => fields.every(({ path }) => path.endsWith(recordPath)));
    return found.map((cause) =>
      isOnlyRecord && cause.by === 'profile'
        ? `${cause.object} (the pods differ only in the recorded profile)`
        : causeText(cause, context.project.metadata.name),
    );
  }
}

/** End of the path of the annotation in which pods record their profile. */
const recordPath = `annotations["${metadataKeys.profile}"]`;

/** Returns a cause as text; workloads of other projects may have traced it. */
function causeText({ by, object, path }: ChangeCause, project: string): string {
  const manifest = by === 'project' ? `Project ${project}` : object;
  return path === undefined ? `${manifest} (several fields together)` : `${manifest} ${path}`;
}

/** Returns the cause of a change that no manifest has alone: one of several hides what another one does. */
function togetherOf(before: ProjectContext, after: ProjectContext): readonly string[] {
  const changed = (['platform', 'profile', 'project'] as const).filter(
    (input) => !isDeepStrictEqual(before[input].spec, after[input].spec),
  );
  const names = changed.map((input) => `${after[input].kind} ${after[input].metadata.name}`);
  return names.length > 0 ? [`${names.join(', ')} (several fields together)`] : [];
}

/** Returns what workloads share whose causes are the same; undefined if the workload itself changes. */
function classOf(before: ExpansionSource, after: ExpansionSource, changes: readonly PodChange[]): string | undefined {
  if (before.workload !== after.workload && !isDeepStrictEqual(before.workload, after.workload)) return undefined;
  const { workload, context } = after;
  return JSON.stringify([
    workload.kind,
    workload.spec.tier ?? context.platform.spec.defaultTier,
    changedProjectFields(before.context, context),
    before.context.profile.metadata.name,
    context.profile.metadata.name,
    changes.map(({ kind, effect, fields }) => [kind, effect, fields.map(({ path }) => path)]),
  ]);
}

const knownFields = new WeakMap<ProjectContext, WeakMap<ProjectContext, string>>();

/** Returns the fields in which the Projects of two contexts differ; all workloads of a project share the contexts. */
function changedProjectFields(before: ProjectContext, after: ProjectContext): string {
  if (before.project === after.project) return '';
  const byAfter = knownFields.get(before) ?? new WeakMap<ProjectContext, string>();
  knownFields.set(before, byAfter);
  const differences = (): string =>
    fieldDifferences(before.project.spec, after.project.spec, [])
      .map(({ path }) => path)
      .join();
  const known = byAfter.get(after) ?? differences();
  byAfter.set(after, known);
  return known;
}
