import { isDeepStrictEqual } from 'node:util';
import { distinctCauses, podChanges, type ComparedObjects, type ExpansionSource, type PodChange } from '../expand';

/** A side of a comparison whose inputs are known. */
export interface TracedSide extends ComparedObjects {
  readonly source: ExpansionSource;
}

/** Maximum number of classes of workloads whose causes are traced. */
const maxClasses = 1000;

/**
 * Traces causes by experiment, once for each class of workloads: those of a kind, tier and change of the Project whose
 * pods change in the same fields. A workload that itself changes is a class of its own.
 */
export class CauseTracer {
  private readonly classes = new Map<string, readonly string[]>();
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
    if (known) return known;
    if (this.traced >= maxClasses) {
      this.untraced++;
      return [];
    }
    const causes = distinctCauses(podChanges(before, after)).map(({ object, path }) =>
      path === undefined ? `${object} (several fields together)` : `${object} ${path}`,
    );
    const found = causes.length > 0 ? causes : togetherOf(before.source, after.source);
    if (key === undefined) this.ownClasses++;
    else this.classes.set(key, found);
    return found;
  }
}

/** Returns the cause of a change that no manifest has alone: one of several hides what another one does. */
function togetherOf({ context: before }: ExpansionSource, { context: after }: ExpansionSource): readonly string[] {
  const changed = [after.platform, after.profile, after.project].filter(({ spec }, index) => {
    const earlier = [before.platform, before.profile, before.project][index];
    return !isDeepStrictEqual(earlier?.spec, spec);
  });
  const names = changed.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return names.length > 0 ? [`${names.join(', ')} (several fields together)`] : [];
}

/** Returns what workloads share whose causes are the same; undefined if the workload itself changes. */
function classOf(before: ExpansionSource, after: ExpansionSource, changes: readonly PodChange[]): string | undefined {
  if (before.workload !== after.workload && !isDeepStrictEqual(before.workload, after.workload)) return undefined;
  const { workload, context } = after;
  const project = isSameProject(before, after) ? '' : context.project.metadata.name;
  return JSON.stringify([
    workload.kind,
    workload.spec.tier ?? context.platform.spec.defaultTier,
    project,
    before.context.profile.metadata.name,
    context.profile.metadata.name,
    changes.map(({ kind, effect, fields }) => [kind, effect, fields.map(({ path }) => path)]),
  ]);
}

const isSameProject = (before: ExpansionSource, after: ExpansionSource): boolean =>
  before.context.project === after.context.project ||
  isDeepStrictEqual(before.context.project.spec, after.context.project.spec);
