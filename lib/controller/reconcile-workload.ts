import { type Problem, type Workload, type WorkloadKind } from '../api';
import { examineExpansion, type Expanded, type KubernetesObject, schedulesGangs, shortHash } from '../expand';
import { type LiveObject } from '../kube';
import { carryOut, type CarriedOut } from './carry-out';
import { type Child, type Observed } from './child';
import { type ClusterFacts, type FoundWorld } from './cluster-facts';
import { conduct } from './conduct';
import { type Conducted, type RunRecord } from './conducted';
import { examineStored } from './examine-stored';
import { type GangClaims } from './gang-claims';
import { type Hands } from './hands';
import { errorText } from './log';
import { type Passes } from './passes';
import { planFor } from './plan-for';
import { type Plan } from './plan-step';
import { type CreationFailure } from './pod-facts';
import { recordOf } from './run-record';
import { report } from './report-workload';
import { type ReportInput } from './report';
import { runtimeVersion } from './runtime-version';
import { statusChange } from './status-change';
import { type Stores } from './stores';
import { type KeyedDocument, workKey } from './work-key';

/** What a reconcile pass looks at and acts with. */
export interface Surroundings {
  readonly stores: Stores;
  readonly facts: ClusterFacts;
  readonly hands: Hands;
  readonly passes: Passes;
  readonly gangs: GangClaims;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** When to look at a document again although nothing changed. */
export interface Next {
  /** Milliseconds from now. */
  readonly again?: number;
  /** Something was refused: again with back-off. */
  readonly retry?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Least time between two writes of a status in which only numbers changed, in milliseconds. */
const numbersInterval = 5000;

/**
 * One pass over one workload: read, complete, expand, conduct, plan, apply, report.
 *
 * Level-triggered: whatever happened before, a pass compares what should be with what is, and does the difference.
 */
export async function reconcileWorkload(document: KeyedDocument, surroundings: Surroundings): Promise<Next> {
  const { stores, passes } = surroundings;
  const key = workKey(document.kind, document.namespace, document.name);
  const live = stores.document(document.kind, document.namespace, document.name);
  if (!live || live.metadata.deletionTimestamp !== undefined) {
    passes.forget(key);
    surroundings.gangs.forget(key);
    return {};
  }
  const pass = prepare(live, surroundings);
  if (passes.isSettled(key, pass.fingerprint)) return {};
  const expansion = expansionOf(pass);
  const conducted = conductedOf(pass, expansion, surroundings);
  if (conducted) surroundings.gangs.note(key, conducted);
  else if (document.kind === 'PinterestTrainingJob') surroundings.gangs.pass(key);
  // A run, a restart or an end is on record before anything of it is done: a crash in between repeats nothing.
  if (conducted?.writeFirst) {
    await tell(pass, expansion, { conducted }, surroundings);
    // A dry run writes nothing, and would look again for ever.
    const seen = stores.document(document.kind, document.namespace, document.name);
    return seen?.metadata.resourceVersion === live.metadata.resourceVersion ? {} : { again: 0 };
  }
  if (conducted?.expired) {
    await surroundings.hands.removeDocument(live);
    return {};
  }
  const results = await act(pass, expansion, conducted, surroundings);
  const wait = await tell(pass, expansion, results, surroundings);
  const next = nextOf(pass, results, wait);
  if (isQuiet(results) && next.again === undefined && !next.retry) passes.settle(key, pass.fingerprint);
  return next;
}

async function act(
  { live, observed }: Prepared,
  { workload, objects }: Expansion,
  conducted: Conducted | undefined,
  { hands, passes }: Surroundings,
): Promise<Results> {
  if (!workload || !objects) return { conducted };
  const plan = await planFor(
    {
      live,
      namespace: live.metadata.namespace ?? '',
      desired: conducted?.desired ?? objects,
      ...(conducted?.untouched && { untouched: conducted.untouched }),
      observed,
      adopt: workload.spec.adopt ?? false,
      allowLoss: new Set(workload.spec.allowLoss ?? []),
      verdicts: passes.verdictsOf(keyOfDocument(live)),
      ...(workload.kind === 'PinterestJobSet' && { unowned: retainedClaims(workload, objects) }),
    },
    hands,
  );
  passes.wait(keyOfDocument(live), live.metadata.namespace ?? '', plan.obstacles);
  const carried = await carryOut(plan, hands, passes.verdictsOf(keyOfDocument(live)));
  for (const pod of conducted?.pods ?? []) await hands.removePod(pod);
  return { conducted, plan, carried };
}

const keyOfDocument = ({ kind, metadata }: LiveObject) => workKey(kind, metadata.namespace, metadata.name);

/** Claims of a job set that outlive it. */
const retainedClaims = (
  { spec }: Workload<'PinterestJobSet'>,
  objects: readonly KubernetesObject[],
): ReadonlySet<string> =>
  new Set(
    spec.claimRetention === 'Retain'
      ? objects
          .filter(({ kind }) => kind === 'PersistentVolumeClaim')
          .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      : [],
  );

const isQuiet = ({ plan, conducted }: Results): boolean =>
  plan !== undefined &&
  !plan.waits &&
  plan.steps.length === 0 &&
  plan.obstacles.length === 0 &&
  (conducted?.pods ?? []).length === 0;

/** All that a pass knows before it acts. */
interface Prepared {
  readonly live: LiveObject;
  readonly record: RunRecord;
  readonly profile: string | undefined;
  /** Milliseconds until time alone moves it to another profile. */
  readonly movesIn: number | undefined;
  readonly deployed: string;
  readonly found: FoundWorld;
  readonly observed: Observed;
  readonly fingerprint: string;
}

function prepare(live: LiveObject, surroundings: Surroundings): Prepared {
  const { stores, facts, passes, now } = surroundings;
  const { uid, namespace = '', name } = live.metadata;
  const status = (live['status'] ?? {}) as Fields;
  const record = recordOf(status);
  const deployed = deployHash(live['spec']);
  const version = versionOf(live, status, record, deployed, surroundings);
  const found = facts.world(namespace, version?.profile ?? '');
  const leaving = stores.leftBy(live.kind, namespace, name, uid);
  const observed: Observed = {
    child: (kind, of) => stores.child(kind, namespace, of),
    owned: stores.ownedBy(uid),
    leaving,
  };
  const seen = [...observed.owned, ...leaving, ...stores.podsOf(live.kind, namespace, name)];
  return {
    live,
    record,
    profile: version?.profile,
    movesIn: version?.movesAt === undefined ? undefined : Math.max(0, version.movesAt - now()),
    deployed,
    found,
    observed,
    fingerprint: passes.fingerprint(live, 'world' in found ? found.world : found.problems, seen),
  };
}

function versionOf(
  live: LiveObject,
  status: Fields,
  record: RunRecord,
  deployed: string,
  { facts, stores, now }: Surroundings,
) {
  const platform = facts.platform;
  if (!platform) return undefined;
  const since = (
    stores.document('Platform', '', 'cluster')?.['status'] as
      { runtime?: { profile: string; since: string } } | undefined
  )?.runtime;
  const inForce = platform.spec.runtime.profile;
  const recorded = status['runtimeProfile'];
  return runtimeVersion({
    runtime: platform.spec.runtime,
    inForceSince: since?.profile === inForce ? Date.parse(since.since) : undefined,
    recorded: typeof recorded === 'string' ? recorded : undefined,
    // A default that a new version of the definition adds changes the spec as it is read, but not its generation.
    deployedAnew: status['observedGeneration'] !== live.metadata.generation && status['deployed'] !== deployed,
    running: record.started !== undefined && record.outcome === undefined,
    standing: (profile) => facts.standing(profile, inForce),
    now: now(),
  });
}

/** Hash of a spec without its number of replicas, which autoscalers write. */
function deployHash(spec: unknown): string {
  const { replicas: _, ...rest } = (spec ?? {}) as Readonly<Record<string, unknown>>;
  return shortHash(JSON.stringify(rest));
}

/** What a spec comes to in a world. */
interface Expansion {
  readonly workload?: Workload;
  readonly objects?: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

function expansionOf({ live, found }: Prepared): Expansion {
  const { completed, problems } = examineStored(live);
  if ('problems' in found) return { problems: [...problems, ...found.problems] };
  if (!completed) return { problems };
  const workload = completed as Workload;
  const expanded = setAside(() => examineExpansion(workload, found.world));
  return {
    workload,
    ...(expanded.objects && { objects: expanded.objects }),
    problems: [...problems, ...expanded.problems],
  };
}

/** An object that breaks us is set aside with a status like any other that cannot be expanded, and stops nobody else. */
function setAside(expand: () => Expanded): Expanded {
  try {
    return expand();
  } catch (error) {
    const reason = `could not be expanded: ${errorText(error)}`;
    return { problems: [{ code: 'wrong-type', path: [], reason, remedy: 'tell the people of the platform' }] };
  }
}

function conductedOf(
  { live, observed, record, found }: Prepared,
  { workload, objects }: Expansion,
  { stores, gangs, now }: Surroundings,
): Conducted | undefined {
  if (!objects || !('world' in found)) return undefined;
  if (workload?.kind !== 'PinterestJobSet' && workload?.kind !== 'PinterestTrainingJob') return undefined;
  const { namespace = '', name } = live.metadata;
  return conduct({
    workload,
    desired: objects,
    observed,
    pods: stores.podsOf(live.kind, namespace, name),
    record,
    schedulerKnowsGangs: schedulesGangs(found.world),
    room: () => gangs.roomFor(keyOfDocument(live), record, stores),
    now: now(),
  });
}

interface Results {
  readonly conducted?: Conducted | undefined;
  readonly plan?: Plan | undefined;
  readonly carried?: CarriedOut | undefined;
}

/** Writes the status where it says something new, and tells what changed; gives the milliseconds after which mere numbers may be written. */
async function tell(
  pass: Prepared,
  expansion: Expansion,
  results: Results,
  surroundings: Surroundings,
): Promise<number | undefined> {
  const { live } = pass;
  const { hands, passes, now } = surroundings;
  const { status, events, again } = report(reportInput(pass, expansion, results, surroundings));
  const next: Fields = { ...status, deployed: pass.deployed };
  const change = statusChange(live['status'] as Fields | undefined, next);
  if (change === 'none') {
    hands.tell(live, events);
    return again;
  }
  const key = keyOfDocument(live);
  const since = change === 'numbers' ? passes.sinceStatus(key, now()) : undefined;
  if (since !== undefined && since < numbersInterval) {
    hands.tell(live, events);
    return Math.min(numbersInterval - since, again ?? Infinity);
  }
  await hands.writeStatus(live, next);
  passes.wroteStatus(key, now());
  hands.tell(live, events);
  return again;
}

function reportInput(
  { live, record, profile, observed }: Prepared,
  { workload, objects, problems }: Expansion,
  { conducted, plan, carried }: Results,
  { stores, now }: Surroundings,
): ReportInput {
  const { namespace = '', name, uid, generation = 0 } = live.metadata;
  const owned = stores.ownedBy(uid);
  return {
    kind: live.kind as WorkloadKind,
    name,
    namespace,
    generation,
    previous: live['status'] as ReportInput['previous'],
    workload,
    problems,
    desired: conducted?.desired ?? objects ?? [],
    observed: { ...observed, owned },
    pods: stores.podsOf(live.kind, namespace, name),
    failures: owned.flatMap((child) => failuresBelow(child, stores)),
    plan: plan && { ...plan, obstacles: [...plan.obstacles, ...(conducted?.obstacles ?? [])] },
    refused: carried?.refused ?? [],
    record: conducted?.record ?? record,
    profile,
    now: now(),
  };
}

/** Failures of a child to make its pods; those of a schedule are its runs'. */
const failuresBelow = (child: Child, stores: Stores): readonly CreationFailure[] =>
  (child.kind === 'CronJob' ? [child, ...stores.ownedBy(child.uid)] : [child]).flatMap(({ uid }) =>
    stores.failuresOf(uid),
  );

function nextOf({ movesIn }: Prepared, { conducted, plan, carried }: Results, wait: number | undefined): Next {
  const times = [conducted?.again, plan?.again, wait, movesIn].filter((time) => time !== undefined);
  const retry = carried !== undefined && (carried.refused.length > 0 || carried.overtaken);
  return { ...(times.length > 0 && { again: Math.min(...times) }), ...(retry && { retry }) };
}
