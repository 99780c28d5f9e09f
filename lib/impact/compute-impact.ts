import { WorkloadComparison } from './compare-workload';
import { impactDigest } from '../expand';
import { workloadKeyOf, type ImpactDocument, type ImpactSide } from './impact-side';
import { sumOfWrites, type WriteCounts } from './object-writes';
import { platformImpacts, type PlatformImpact } from './platform-impact';
import { type NodeSurge } from './node-surge';
import { type QuotaSurge } from './quota-surge';
import { type RolloutImpact } from './rollout-impact';
import { profileNotes, refusedProfiles, withStoredProfiles } from './stored-profiles';
import { type ExpectedRollout } from './revision-moves';
import { platformWorkloads, withPlatformParts } from './with-platform-parts';
import { type ImpactOutcome, type WorkloadImpact } from './workload-impact';

/** What a change of a cluster's manifests does to its workloads: an estimate, because expansions are compared. */
export interface ClusterImpact {
  readonly before: string;
  readonly after: string;
  /** Name of the cluster in its Platform. */
  readonly cluster: string;
  /** Number of workloads by outcome. */
  readonly counts: Readonly<Record<ImpactOutcome, number>>;
  /** Workloads that are not unchanged, by project and name. */
  readonly workloads: readonly WorkloadImpact[];
  /** Objects of the Platform and of Projects that change. */
  readonly platform: readonly PlatformImpact[];
  /** Writes of the controller to objects, without those of statuses and events. */
  readonly writes: WriteCounts;
  readonly surge: readonly QuotaSurge[];
  /** Surge pods against the free capacity of the nodes, by wave. */
  readonly nodeSurge: readonly NodeSurge[];
  /** Rollout that moves workloads. @default - none does */
  readonly rollout?: RolloutImpact;
  /** Rollouts of Projects that move workloads, each after that of the Platform. @default - none does */
  readonly projectRollouts?: readonly RolloutImpact[];
  /** What could not be read, one line each; workloads among it are not counted. */
  readonly unread: readonly string[];
  /** What is assumed, one line each. */
  readonly notes: readonly string[];
  /** Number of classes of workloads whose causes were traced by experiment. */
  readonly tracedClasses: number;
  /** Number of affected workloads whose causes were not traced, because there were too many classes. */
  readonly untraced: number;
  /** Digest of the impact of the rollout to another revision, as `sha256:<hex>`, which the rollout can require to be approved. @default - no such rollout follows */
  readonly digest?: string;
}

/** Returns what a change does: `before` is the cluster as it is, `after` as it will be. */
export function computeImpact(before: ImpactSide, after: ImpactSide): ClusterImpact {
  const steps = impactSteps(before, after);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Number of workloads between two steps. */
const stepSize = 20;

/** Like `computeImpact`, in steps: yields how many workloads it has compared, of how many. */
export function* impactSteps(
  given: ImpactSide,
  target: ImpactSide,
): Generator<readonly [done: number, total: number], ClusterImpact> {
  const before = withPlatformParts(given);
  const cluster = withStoredProfiles(given.cluster, target.cluster);
  const after = withPlatformParts({ ...target, cluster }, platformWorkloads(given.cluster));
  const pairs = pairsOf(before.workloads, after.workloads);
  const comparison = new WorkloadComparison({ before, after });
  const impacts: WorkloadImpact[] = [];
  for (const [one, other] of pairs) {
    impacts.push(comparison.of(one, other));
    if (impacts.length % stepSize === 0) yield [impacts.length, pairs.length];
  }
  const { rollouts } = cluster.platform.spec;
  const { rollout, projectRollouts, isStart } = comparison.moves;
  const rolled = rollouts && rollout && comparison.rollout.impact(rollouts, rollout);
  const ofProjects = projectRollouts.flatMap((one) => (rollouts && comparison.ofProjects.impact(rollouts, one)) ?? []);
  const waves = new Map([...ofProjects, ...(rolled ? [rolled] : [])].flatMap((one) => [...one.waves]));
  const platform = [...refusedProfiles(given.cluster, target.cluster), ...platformImpacts(before, after)];
  return {
    before: given.label,
    after: target.label,
    cluster: after.cluster.platform.spec.cluster,
    counts: countsOf(impacts),
    workloads: impacts
      .filter(({ outcome }) => outcome !== 'unchanged')
      .map((impact) => withWave(impact, waves))
      .sort(bySubject),
    platform,
    writes: sumOfWrites([...impacts, ...platform].map(({ writes }) => writes)),
    surge: comparison.surge.against(before.quotas, { atOnce: rollouts?.budget.workloadsPerProject ?? 0 }),
    nodeSurge: comparison.nodeSurge.against(before.freeCapacity, waves, rollouts?.budget),
    ...(rolled && { rollout: rolled.impact }),
    ...(ofProjects.length > 0 && { projectRollouts: ofProjects.map(({ impact }) => impact) }),
    unread: [...(given.unread ?? []), ...(target.unread ?? [])],
    notes: [...profileNotes(given, target), ...(isStart ? [startNote] : [])],
    tracedClasses: comparison.tracer.traced,
    untraced: comparison.tracer.untraced,
    ...(rollout && !rollout.isBack && { digest: digestOf(rollout, comparison) }),
  };
}

const digestOf = ({ from, revision }: ExpectedRollout, { classes }: WorkloadComparison): string =>
  impactDigest({ from, to: revision, classes });

function pairsOf(
  before: readonly ImpactDocument[],
  after: readonly ImpactDocument[],
): readonly (readonly [ImpactDocument | undefined, ImpactDocument | undefined])[] {
  const [earlier, later] = [byKey(before), byKey(after)];
  return [...new Set([...earlier.keys(), ...later.keys()])].map((key) => [earlier.get(key), later.get(key)]);
}

const byKey = (documents: readonly ImpactDocument[]): ReadonlyMap<string, ImpactDocument> =>
  new Map(documents.map((document) => [workloadKeyOf(document), document]));

const startNote =
  'rollouts begin with this change: another runtime profile, its images and its values reach workloads in waves; other changes of the Platform reach them at once, for the last time';

/** Returns an impact with the wave of the workload. */
function withWave(impact: WorkloadImpact, waves: ReadonlyMap<string, string> | undefined): WorkloadImpact {
  const wave = waves?.get(`${impact.kind} ${impact.project}/${impact.name}`);
  return wave === undefined ? impact : { ...impact, wave };
}

const sortKey = ({ project, kind, name }: WorkloadImpact): string => `${project}/${kind}/${name}`;
const bySubject = (one: WorkloadImpact, other: WorkloadImpact): number => (sortKey(one) < sortKey(other) ? -1 : 1);

function countsOf(impacts: readonly WorkloadImpact[]): Record<ImpactOutcome, number> {
  const counts = { restarts: 0, waits: 0, blocked: 0, unknown: 0, created: 0, removed: 0, changes: 0, unchanged: 0 };
  for (const { outcome } of impacts) counts[outcome]++;
  return counts;
}
