import { isDeepStrictEqual } from 'node:util';
import { isRunKind, type Workload } from '../api';
import { impactClassesOf, podChanges, type KubernetesObject, type PodChange, type ProjectContext } from '../expand';
import { CauseTracer, type TracedSide } from './cause-tracer';
import { isRunning, parseBoth, unscaled, unsettledReason } from './document-facts';
import { type ChildDifference } from './child-differences';
import { storedDifferences, withStoredDifferences } from './stored-differences';
import { writtenOfRun } from './written-of-run';
import { expandDocument } from './expand-document';
import { heldImpact, isHeldAfter } from './held-workload';
import { workloadKeyOf, type ImpactDocument, type ImpactSide } from './impact-side';
import { changedObjects, noWrites, writesOf, type ChangedObject } from './object-writes';
import { isSameContext } from './profile-contexts';
import { NodeSurgeSum } from './node-surge';
import { SurgeSum, steadyPods } from './quota-surge';
import { RolloutSum } from './rollout-impact';
import { profileChange, waitOfMove } from './move-effects';
import { type ContextMove } from './context-move';
import { WorkloadMoves } from './workload-moves';
import { objectImpacts, subjectOf, type ImpactSubject, type WorkloadImpact } from './workload-impact';

/** A workload after a change, as the controller would expand it. */
interface Expansion extends TracedSide {
  readonly objects: readonly KubernetesObject[];
}

/** Sides of a workload, before its expansion. */
interface Pair {
  readonly before: Workload;
  readonly after: Workload;
  readonly move: ContextMove;
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
  readonly nodeSurge = new NodeSurgeSum();
  readonly rollout = new RolloutSum();
  /** Workloads that rollouts of Projects move. */
  readonly ofProjects = new RolloutSum();
  readonly moves: WorkloadMoves;
  /** Classes of the impact of the rollout. */
  readonly classes = new Set<string>();

  constructor(private readonly sides: { readonly before: ImpactSide; readonly after: ImpactSide }) {
    this.moves = new WorkloadMoves(sides);
  }

  /** Returns the impact on a workload that exists on at least one side. */
  of(before: ImpactDocument | undefined, after: ImpactDocument | undefined): WorkloadImpact {
    const [from, to] = parseBoth(before, after);
    const document = (after ?? before) as ImpactDocument;
    if (typeof from === 'string' || typeof to === 'string') return this.unparsed(document, from, to);
    if (!from || !to) return this.appearing(from, to);
    const unsettled = before && unsettledReason(before);
    if (unsettled !== undefined) return unknown(this.subjectOf(to), unsettled);
    const isRedeployed = !isDeepStrictEqual(unscaled(from), unscaled(to));
    const subject = this.subjectOf(to);
    const workload = { document: before as ImpactDocument, before: from, after: to, isRedeployed };
    const move = this.moves.of(workload);
    if (typeof move === 'string') return unknown(subject, move);
    const moved = { document: workload.document, workload: to, subject, nodes: this.sides.before.nodes };
    if (this.moves.revisions?.hasMoved(workload.document, 'Platform')) this.rollout.add(moved);
    if (this.moves.revisions?.hasMoved(workload.document, 'Project')) this.ofProjects.add(moved);
    return this.compared({ ...workload, move, subject, isRunning: isRunning(before, from) });
  }

  private compared(pair: Pair): WorkloadImpact {
    const { before, after, move, subject } = pair;
    const { later: next } = move;
    const isSameInput = before === after && isSameContext(move.before, move.now);
    // Another version may have applied the objects of a cluster.
    if (isSameInput && !next && !this.sides.before.children) return { ...subject, outcome: 'unchanged', ...nothing };
    const earlier = expandWith(before, move.before);
    const now = isSameInput ? earlier : expandWith(after, move.now);
    if (typeof earlier === 'string') return unknown(subject, `it was rejected before the change: ${earlier}`);
    if (typeof now === 'string') return { ...subject, outcome: 'blocked', ...nothing, reason: now };
    const later = next && expandWith(after, next.context);
    const isRolled = typeof later === 'object' && isRolledMove(pair, now, later);
    // A rollout releases what it moves.
    const isHeld = !isRolled && isHeldAfter(pair.document, { ...now.source, objects: now.objects }, this.sides.before);
    const children = this.moves.revisions?.isMoving(pair.document) ? undefined : this.sides.before.children;
    const stored = storedDifferences(pair.document, earlier.objects, move.before, { children, isHeld });
    if (isHeld && typeof stored !== 'string')
      return heldImpact(subject, stored, changedObjects(earlier.objects, now.objects));
    if (typeof later === 'string')
      return { ...subject, outcome: 'blocked', ...nothing, reason: `with ${next?.target}: ${later}` };
    if (typeof stored === 'string') return unknown(subject, stored);
    return withStoredDifferences(this.judged(pair, { before: earlier, now, later }, stored), stored);
  }

  private judged(
    pair: Pair,
    { before, now, later }: { before: Expansion; now: Expansion; later: Expansion | undefined },
    stored: readonly ChildDifference[],
  ): WorkloadImpact {
    const { subject, move, after } = pair;
    const different = before === now ? [] : changedObjects(before.objects, now.objects);
    const differentLater = later ? changedObjects(now.objects, later.objects) : [];
    const soon = podChangesIn(different, before, now);
    const eventual = later ? podChangesIn(differentLater, now, later) : [];
    const isRun = isRunKind(after.kind) && !pair.isRedeployed;
    const changed = isRun ? writtenOfRun(different, before.objects, now.objects, pair.isRunning) : different;
    const isRolled = later !== undefined && isRolledMove(pair, now, later);
    if (isRolled) this.addRolled(pair, now, later, eventual, stored);
    const restarts = [...soon, ...(isRolled ? eventual : [])].some((change) => change.restarts);
    const waitsFor = restarts ? undefined : waitOfMove(move, eventual, soon);
    const affects = [...objectImpacts(soon, false), ...objectImpacts(eventual, true)];
    const isDifferent = changed.length + differentLater.length > 0;
    if (soon.some((change) => change.restarts)) this.addSurge(pair, now, soon);
    const written = isRolled ? distinctChanges(changed, differentLater) : changed;
    const pods = Math.max(steadyPods(now.objects, soon), isRolled ? steadyPods(later.objects, eventual) : 0);
    const causes = affects.length === 0 ? [] : this.causesOf(before, now, later, soon, eventual);
    return {
      ...subject,
      outcome: restarts ? 'restarts' : waitsFor ? 'waits' : isDifferent ? 'changes' : 'unchanged',
      ...(pods > 0 && { pods }),
      objects: affects,
      changed: written,
      writes: writesOf(written),
      causes,
      ...(waitsFor && { waitsFor }),
      ...profileChange(move, eventual),
    };
  }

  private addRolled(
    pair: Pair,
    now: Expansion,
    later: Expansion,
    changes: readonly PodChange[],
    stored: readonly ChildDifference[],
  ): void {
    const { document, after: workload, subject, move } = pair;
    const { objects } = later;
    const { nodes } = this.sides.before;
    const drifted = stored.filter(({ difference }) => difference === 'pods').map(({ object }) => object);
    const { ofPlatform } = move.later ?? {};
    const between = ofPlatform === undefined ? later : expandWith(workload, ofPlatform);
    const middle = typeof between === 'string' ? later : between;
    const first = changedObjects(now.objects, middle.objects);
    const isMovedByPlatform = ofPlatform === undefined || first.length > 0;
    if (isMovedByPlatform) {
      const ofRollout = middle === later ? changes : podChangesIn(first, now, middle);
      const restarting = [...restartingObjects(ofRollout), ...drifted];
      this.rollout.add({ document, workload, subject, objects, restarting, nodes });
      const { kind, tier } = subject;
      const input = { kind, tier, changes: ofRollout, isHeld: isHeldBefore(document) };
      for (const one of impactClassesOf(input)) this.classes.add(one);
    }
    const second = changedObjects(middle.objects, objects);
    if (ofPlatform !== undefined && second.length > 0) {
      const restarting = restartingObjects(podChangesIn(second, middle, later));
      // The first rollout that moves a workload corrects what its objects have drifted.
      const all = isMovedByPlatform ? restarting : [...restarting, ...drifted];
      this.ofProjects.add({ document, workload, subject, objects, restarting: all, nodes });
    }
    if (!changes.some(({ restarts }) => restarts)) return;
    this.surge.addRolling(subject.project, objects, changes);
    const owner = { workload: workloadKeyOf(document), project: subject.project, isRolled: true };
    this.nodeSurge.add(owner, objects, changes);
  }

  private addSurge({ document, subject }: Pair, { objects }: Expansion, changes: readonly PodChange[]): void {
    this.surge.add(subject.project, objects, changes);
    const owner = { workload: workloadKeyOf(document), project: subject.project, isRolled: false };
    this.nodeSurge.add(owner, objects, changes);
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
    const { cluster } = to ? this.sides.after : this.sides.before;
    const subject = subjectOf(workload, defaultsOf(cluster.project(workload.metadata.namespace)));
    const context = this.moves.ofOne(workload, to !== undefined);
    const expanded = context ? expandWith(workload, context) : 'its runtime profile or revision cannot be resolved';
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

/** Returns the objects whose pods restart, such as `Deployment/cart`. */
const restartingObjects = (changes: readonly PodChange[]): readonly string[] =>
  changes.filter(({ restarts }) => restarts).map(({ kind, name }) => `${kind}/${name}`);

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

/** Returns whether a rollout moves a workload: one that it changes, or that is held, which it releases. */
function isRolledMove({ move, document }: Pair, now: Expansion, later: Expansion): boolean {
  if (move.later?.waitsFor !== 'rollout') return false;
  return isHeldBefore(document) || changedObjects(now.objects, later.objects).length > 0;
}

/** Returns whether another version expanded the objects of a workload, which a rollout releases. */
function isHeldBefore({ status }: ImpactDocument): boolean {
  const { held } = (status?.['expansion'] ?? {}) as { readonly held?: unknown };
  return held !== undefined;
}

/** Returns the writes of two steps, once for each object. */
const distinctChanges = (soon: readonly ChangedObject[], later: readonly ChangedObject[]): readonly ChangedObject[] => [
  ...new Map([...later, ...soon].map((one) => [one.object, one])).values(),
];
