import { isDeepStrictEqual } from 'node:util';
import { isRunKind, type Workload } from '../api';
import { podChanges, type KubernetesObject, type PodChange, type ProjectContext } from '../expand';
import { CauseTracer, type TracedSide } from './cause-tracer';
import { isRunning, parseBoth, recordedProfile, unscaled, unsettledReason } from './document-facts';
import { storedDifferences, withStoredDifferences } from './stored-differences';
import { writtenOfRun } from './written-of-run';
import { expandDocument } from './expand-document';
import { heldImpact, isHeldAfter } from './held-workload';
import { type ImpactDocument, type ImpactSide } from './impact-side';
import { changedObjects, noWrites, writesOf, type ChangedObject } from './object-writes';
import { chooseProfile, type ProfileChoice } from './profile-choice';
import { isSameContext, ProfileContexts } from './profile-contexts';
import { SurgeSum, steadyPods } from './quota-surge';
import { isRolloutBlocked, runtimeRecords, type RuntimeRecords } from './runtime-records';
import { objectImpacts, subjectOf, waitOf, type ImpactSubject, type WorkloadImpact } from './workload-impact';

/** A workload after a change, as the controller would expand it. */
interface Expansion extends TracedSide {
  readonly objects: readonly KubernetesObject[];
}

/** Sides of a workload, before its expansion. */
interface Pair {
  readonly before: Workload;
  readonly after: Workload;
  readonly choice: ProfileChoice;
  readonly recorded: string;
  readonly subject: ImpactSubject;
  readonly isRedeployed: boolean;
  readonly isRunning: boolean;
  /** Its custom resource. */
  readonly document: ImpactDocument;
}

const nothing = { objects: [], changed: [], causes: [], writes: noWrites };

/** Compares workloads before and after a change of a cluster. */
export class WorkloadComparison {
  readonly tracer = new CauseTracer();
  readonly surge = new SurgeSum();
  private readonly before: ProfileContexts;
  private readonly after: ProfileContexts;
  private readonly records: RuntimeRecords;
  private readonly isBlocked: boolean;

  constructor(private readonly sides: { readonly before: ImpactSide; readonly after: ImpactSide }) {
    this.records = runtimeRecords(sides.before, sides.after);
    this.isBlocked = isRolloutBlocked(sides.before, sides.after);
    this.before = new ProfileContexts(sides.before.cluster, this.records.before);
    this.after = new ProfileContexts(sides.after.cluster, this.records.after);
  }

  /** Returns the impact on a workload that exists on at least one side. */
  of(before: ImpactDocument | undefined, after: ImpactDocument | undefined): WorkloadImpact {
    const [from, to] = parseBoth(before, after);
    const document = (after ?? before) as ImpactDocument;
    if (typeof from === 'string' || typeof to === 'string') return this.unparsed(document, from, to);
    if (!from || !to) return this.appearing(from, to);
    const unsettled = before && unsettledReason(before);
    if (unsettled !== undefined) return unknown(this.subjectOf(to), unsettled);
    const runtime = this.sides.after.cluster.platform.spec.runtime;
    const recorded = recordedProfile(before) ?? this.sides.before.cluster.platform.spec.runtime.profile;
    const isRedeployed = !isDeepStrictEqual(unscaled(from), unscaled(to));
    const running = isRunning(before, from);
    const choice = chooseProfile({
      runtime,
      recorded,
      isRedeployed,
      isRunning: running,
      isWithdrawn: this.records.after.withdrawnProfiles?.includes(recorded) === true,
      isBlocked: this.isBlocked,
      stateOf: (profile) => this.after.stateOf(profile),
    });
    return this.compared({
      ...{ before: from, after: to, recorded, choice, subject: this.subjectOf(to) },
      ...{ isRedeployed, isRunning: running, document: before as ImpactDocument },
    });
  }

  private compared(pair: Pair): WorkloadImpact {
    const { before, after, recorded, choice, subject } = pair;
    const { namespace } = after.metadata;
    const contexts = {
      before: this.before.of(namespace, recorded),
      now: this.after.of(namespace, choice.profile),
      later: choice.later && this.after.of(namespace, choice.later.profile),
    };
    if (!contexts.before || !contexts.now)
      return unknown(subject, `its runtime profile ${contexts.before ? choice.profile : recorded} cannot be resolved`);
    const isSameInput = before === after && isSameContext(contexts.before, contexts.now);
    // Another version may have applied the objects of a cluster.
    if (isSameInput && !contexts.later && !this.sides.before.children)
      return { ...subject, outcome: 'unchanged', ...nothing };
    const earlier = expandWith(before, contexts.before);
    const now = isSameInput ? earlier : expandWith(after, contexts.now);
    if (typeof earlier === 'string') return unknown(subject, `it was rejected before the change: ${earlier}`);
    if (typeof now === 'string') return { ...subject, outcome: 'blocked', ...nothing, reason: now };
    const isHeld = isHeldAfter(pair.document, { ...now.source, objects: now.objects }, this.sides.before);
    const { children } = this.sides.before;
    const stored = storedDifferences(pair.document, earlier.objects, contexts.before, { children, isHeld });
    if (isHeld && typeof stored !== 'string')
      return heldImpact(subject, stored, changedObjects(earlier.objects, now.objects));
    const later = contexts.later && expandWith(after, contexts.later);
    if (typeof later === 'string')
      return { ...subject, outcome: 'blocked', ...nothing, reason: `with ${choice.later?.profile}: ${later}` };
    if (typeof stored === 'string') return unknown(subject, stored);
    return withStoredDifferences(this.judged(pair, earlier, now, later), stored);
  }

  private judged(pair: Pair, before: Expansion, now: Expansion, later: Expansion | undefined): WorkloadImpact {
    const { subject, choice, recorded, after } = pair;
    const different = before === now ? [] : changedObjects(before.objects, now.objects);
    const differentLater = later ? changedObjects(now.objects, later.objects) : [];
    const soon = podChangesIn(different, before, now);
    const eventual = later ? podChangesIn(differentLater, now, later) : [];
    const isRun = isRunKind(after.kind) && !pair.isRedeployed;
    const changed = isRun ? writtenOfRun(different, before.objects, now.objects, pair.isRunning) : different;
    const restarts = soon.some((change) => change.restarts);
    const waitsFor = restarts ? undefined : waitOfChoice(choice, eventual, soon);
    const affects = [...objectImpacts(soon, false), ...objectImpacts(eventual, true)];
    const isDifferent = changed.length + differentLater.length > 0;
    if (restarts) this.surge.add(subject.project, now.objects, soon);
    const laterChoice = eventual.some(({ effect }) => effect !== 'unchanged') ? choice.later : undefined;
    const within = eventual.some((change) => change.restarts) ? laterChoice?.within : undefined;
    const pods = steadyPods(now.objects, soon);
    const causes = affects.length === 0 ? [] : this.causesOf(before, now, later, soon, eventual);
    return {
      ...subject,
      outcome: restarts ? 'restarts' : waitsFor ? 'waits' : isDifferent ? 'changes' : 'unchanged',
      ...(pods > 0 && { pods }),
      objects: affects,
      changed,
      writes: writesOf(changed),
      causes,
      ...(waitsFor && { waitsFor }),
      ...(within !== undefined && { within }),
      ...((recorded !== choice.profile || laterChoice) && {
        profile: { before: recorded, after: choice.profile, ...(laterChoice && { later: laterChoice.profile }) },
      }),
    };
  }

  private causesOf(
    before: Expansion,
    now: Expansion,
    later: Expansion | undefined,
    soon: readonly PodChange[],
    eventual: readonly PodChange[],
  ): readonly string[] {
    const isSoon = soon.some(({ effect }) => effect !== 'unchanged');
    const first = isSoon ? this.tracer.of(before, now, soon) : [];
    const second =
      later && eventual.some(({ effect }) => effect !== 'unchanged') ? this.tracer.of(now, later, eventual) : [];
    return [...new Set([...first, ...second])];
  }

  private unparsed(
    document: ImpactDocument,
    from: Workload | string | undefined,
    to: Workload | string | undefined,
  ): WorkloadImpact {
    const subject = this.rawSubject(document);
    if (typeof to === 'string' && typeof from !== 'string')
      return { ...subject, outcome: 'blocked', ...nothing, reason: to };
    return unknown(subject, `current rules reject it: ${typeof from === 'string' ? from : String(to)}`);
  }

  private appearing(from: Workload | undefined, to: Workload | undefined): WorkloadImpact {
    const workload = (to ?? from) as Workload;
    const side = to ? this.after : this.before;
    const { cluster } = to ? this.sides.after : this.sides.before;
    const subject = subjectOf(workload, defaultsOf(cluster.project(workload.metadata.namespace)));
    const context = side.of(workload.metadata.namespace, cluster.platform.spec.runtime.profile);
    const expanded = context ? expandWith(workload, context) : 'its runtime profile cannot be resolved';
    if (typeof expanded === 'string')
      return to ? { ...subject, outcome: 'blocked', ...nothing, reason: expanded } : unknown(subject, expanded);
    const [before, after] = to ? [[], expanded.objects] : [expanded.objects, []];
    const changed = changedObjects(before, after);
    // The garbage collector deletes the objects of a removed workload.
    const writes = to ? writesOf(changed) : noWrites;
    return { ...subject, outcome: to ? 'created' : 'removed', ...nothing, changed, writes };
  }

  private subjectOf(workload: Workload): ImpactSubject {
    return subjectOf(workload, defaultsOf(this.sides.after.cluster.project(workload.metadata.namespace)));
  }

  private rawSubject({ kind, metadata: { namespace = '', name } }: ImpactDocument): ImpactSubject {
    const { team, tier } = defaultsOf(this.sides.after.cluster.project(namespace));
    return { project: namespace, team, tier, kind, name };
  }
}

const defaultsOf = ({ project, platform }: ProjectContext) => ({
  team: project.spec.team,
  tier: platform.spec.defaultTier,
});

const unknown = (subject: ImpactSubject, reason: string): WorkloadImpact => ({
  ...subject,
  outcome: 'unknown',
  ...nothing,
  reason,
});

function expandWith(workload: Workload, context: ProjectContext): Expansion | string {
  const objects = expandDocument(workload, context);
  return typeof objects === 'string' ? objects : { objects, source: { workload, context } };
}

/** Returns the changes of pods; only objects that differ are compared. */
function podChangesIn(changed: readonly ChangedObject[], before: Expansion, after: Expansion): readonly PodChange[] {
  if (changed.length === 0) return [];
  const names = new Set(changed.map(({ object }) => object));
  const only = ({ objects, source }: Expansion): Expansion => ({
    objects: objects.filter(({ kind, metadata }) => names.has(`${kind}/${metadata.name}`)),
    source,
  });
  return podChanges(only(before), only(after), { traceCauses: false });
}

const waitOfChoice = (
  { later }: ProfileChoice,
  final: readonly PodChange[],
  soon: readonly PodChange[],
): WorkloadImpact['waitsFor'] => {
  if (later && final.some(({ restarts }) => restarts)) return later.waitsFor;
  return waitOf(soon) ?? waitOf(final);
};
