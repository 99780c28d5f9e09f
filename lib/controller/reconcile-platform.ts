import {
  apiVersion,
  canaryReport,
  parseManifest,
  manager,
  recommended,
  type ManifestInput,
  type PlatformManifest,
  type PlatformKind,
  type Problem,
  ProblemsError,
} from '../api';
import { expandPlatform, expandProject, type PlatformContext, type KubernetesObject, nodeSupport } from '../expand';
import { type LiveObject, errorText } from '../kube';
import { canaryHold } from './canary-gate';
import { applyPlan, type CarriedOut } from './apply-plan';
import { type Observed } from './observed/child';
import { throttleDriftCorrection } from './plan/throttle-drift-correction';
import { planFor } from './plan/plan-for';
import { type ReconcilePlan } from './plan/plan-step';
import { type ReconcileResult, type ReconcileContext } from './reconcile-context';
import { reportPlatformDocument } from './report/report-platform';
import { statusChange } from './report/status-change';
import { type KeyedDocument, workKey } from './work-key';

type Fields = Readonly<Record<string, unknown>>;

/** Milliseconds between two looks at what the canary says. */
const canaryLook = 60_000;
/** Least time between two writes of a status in which only counts changed, in milliseconds. */
const countsInterval = 5000;

/** One pass over a Project, a RuntimeProfile or the Platform: what it becomes is applied, and its status says who leans on it. */
export async function reconcilePlatform(
  document: KeyedDocument & { readonly kind: PlatformKind },
  surroundings: ReconcileContext,
): Promise<ReconcileResult> {
  const { stores, facts, passes, hands, now } = surroundings;
  const key = workKey(document.kind, '', document.name);
  const live = stores.document(document.kind, '', document.name);
  if (!live || live.metadata.deletionTimestamp !== undefined) {
    passes.forget(key);
    return {};
  }
  const problems = facts.problemsOf(document.kind, live);
  const profile = facts.platform?.spec.runtime.profile;
  const found = facts.cluster(profile ?? '');
  const cluster = 'cluster' in found ? found.cluster : undefined;
  const completed = facts.documentOf(document.kind, live);
  const { objects: desired, problems: unmakeable = [] } = completed && cluster ? becoming(completed, cluster) : {};
  const acted = desired && (await act(live, desired, completed, surroundings));
  const { status, events } = reportPlatformDocument({
    live,
    problems: [...problems, ...unmakeable],
    missing: document.kind === 'RuntimeProfile' || 'cluster' in found ? [] : found.problems,
    desired: desired ?? [],
    observed: observedBy(live, surroundings),
    plan: acted?.plan,
    refused: acted?.carried.refused ?? [],
    workloads: workloadsOf(document, surroundings),
    profile,
    held: document.kind === 'Platform' ? heldBack(surroundings) : undefined,
    now: now(),
  });
  const looks = [acted?.plan.again, document.kind === 'Platform' && asksCanary(surroundings) ? canaryLook : undefined];
  const soonest = Math.min(...looks.filter((one) => one !== undefined));
  const again = Number.isFinite(soonest) ? { again: soonest } : {};
  const retry = acted !== undefined && (acted.carried.refused.length > 0 || acted.carried.overtaken);
  const change = statusChange(live['status'] as Fields | undefined, status);
  if (change === 'none') return { ...again, retry };
  const since = change === 'numbers' ? passes.sinceStatus(key, now()) : undefined;
  if (since !== undefined && since < countsInterval) return { again: countsInterval - since, retry };
  await hands.writeStatus(live, status);
  passes.wroteStatus(key, now());
  hands.tell(live, events);
  return { ...again, retry };
}

const asksCanary = ({ facts }: ReconcileContext): boolean => facts.platform?.spec.runtime.canary !== undefined;

/** Why workloads do not move to the runtime profile in force by themselves, as the Platform's status tells it. */
function heldBack({ facts, stores, now }: ReconcileContext): string | undefined {
  const runtime = facts.platform?.spec.runtime;
  const report = stores.child('ConfigMap', runtime?.canary?.project ?? '', canaryReport.name);
  return runtime && canaryHold(runtime, report, now());
}

/** What a document becomes; one that breaks us says so in its status like any other that is wrong. */
function becoming(
  document: PlatformManifest,
  cluster: PlatformContext,
): { readonly objects?: readonly KubernetesObject[]; readonly problems?: readonly Problem[] } {
  try {
    return { objects: objectsOf(document, cluster) };
  } catch (error) {
    if (error instanceof ProblemsError) return { problems: error.problems };
    const reason = `could not be expanded: ${errorText(error)}`;
    return { problems: [{ code: 'wrong-type', path: [], reason, remedy: 'tell the people of the platform' }] };
  }
}

function objectsOf(document: PlatformManifest, cluster: PlatformContext): readonly KubernetesObject[] {
  if (document.kind === 'Project') return expandProject(document, cluster);
  if (document.kind === 'Platform') return [...expandPlatform(cluster), ...nodeSupport(cluster).map(supporting)];
  return [];
}

/** A document that the platform makes for itself, as an object to apply: whole, as the API server completes it. */
function supporting(document: ReturnType<typeof nodeSupport>[number]): KubernetesObject {
  const { kind, metadata } = document;
  const { spec } = parseManifest(document as ManifestInput);
  const labels = { ...metadata.labels, [recommended.managedBy]: manager, [recommended.partOf]: manager };
  const { name, namespace } = metadata;
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }), labels }, spec };
}

/** Namespace of what a document becomes: a Project's own, and that of node-level parts for the Platform. */
const namespaceOf = ({ kind, metadata }: LiveObject, { facts }: ReconcileContext): string =>
  kind === 'Project' ? metadata.name : (facts.platform?.spec.runtime.project ?? '');

function observedBy(live: LiveObject, surroundings: ReconcileContext): Observed {
  const { stores } = surroundings;
  const { metadata } = live;
  const namespace = namespaceOf(live, surroundings);
  return {
    // Quotas of system namespaces say where they are.
    child: (kind, name, at = namespace) => stores.child(kind, at, name),
    owned: stores.ownedBy(metadata.uid),
  };
}

async function act(
  live: LiveObject,
  desired: readonly KubernetesObject[],
  document: PlatformManifest | undefined,
  surroundings: ReconcileContext,
): Promise<{ readonly plan: ReconcilePlan; readonly carried: CarriedOut }> {
  const adopt = document?.kind === 'Project' && document.spec.adopt === true;
  const observed = observedBy(live, surroundings);
  const request = {
    live,
    namespace: namespaceOf(live, surroundings),
    desired,
    observed,
    adopt,
    allowLoss: new Set<never>(),
    // A namespace that was there before the Project outlives it.
    ...(adopt && { unowned: new Set([`Namespace/${live.metadata.name}`]) }),
    verdicts: surroundings.passes.verdictsOf(workKey(live.kind, '', live.metadata.name)),
  };
  const key = workKey(live.kind, '', live.metadata.name);
  const plan = throttleDriftCorrection(
    await planFor(request, surroundings.hands),
    surroundings.passes,
    key,
    surroundings.now(),
  );
  surroundings.passes.wait(key, request.namespace, [...plan.obstacles, ...(plan.awaited ?? [])]);
  return { plan, carried: await applyPlan(plan, surroundings.hands, request.verdicts) };
}

/** Workloads that lean on a document. */
function workloadsOf({ kind, name }: KeyedDocument, { stores }: ReconcileContext): readonly LiveObject[] {
  if (kind === 'Project') return stores.workloadsIn(name);
  if (kind === 'Platform') return stores.workloads();
  return stores
    .workloads()
    .filter((workload) => (workload['status'] as Fields | undefined)?.['runtimeProfile'] === name);
}
