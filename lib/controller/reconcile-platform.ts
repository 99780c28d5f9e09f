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
  type Status,
  ProblemsError,
} from '../api';
import {
  expandPlatform,
  expandProject,
  nameConflictProblem,
  nodeSupport,
  projectRevisionsOf,
  revisionRecordOf,
  type KubernetesObject,
  type OwnedProjectNames,
  type PlatformContext,
  type ProjectRevisions,
  type ProjectNames,
} from '../expand';
import { type LiveObject, errorText } from '../client';
import { canaryHold } from './canary-gate';
import { applyPlan, type AppliedPlan } from './apply-plan';
import { type Observed } from './observed/child';
import { throttleDriftCorrection } from './plan/throttle-drift-correction';
import { planFor } from './plan/plan-for';
import { type ReconcilePlan } from './plan/plan-step';
import { type ReconcileResult } from '../controller-runtime';
import { type ReconcileContext } from './reconcile-context';
import { reconcileProjectRevisions } from './revisions/reconcile-project-revisions';
import { reconcileRevisions } from './revisions/reconcile-revisions';
import { reportPlatformResource } from './report/report-platform';
import { statusChange } from './report/status-change';
import { type ResourceKey, workKey } from './work-key';

type Fields = Readonly<Record<string, unknown>>;

/** Poll interval of the canary result, in milliseconds. */
const canaryPollInterval = 60_000;
/** Minimum time between two writes of a status in which only counts changed, in milliseconds. */
const countsInterval = 5000;

/** Reconciles a Project, a RuntimeProfile or the Platform: applies its objects and reports the workloads that depend on it. */
export async function reconcilePlatform(
  resource: ResourceKey & { readonly kind: Exclude<PlatformKind, 'PlatformRollout'> },
  context: ReconcileContext,
): Promise<ReconcileResult> {
  const { stores, platformCache, cache, writer, now } = context;
  const key = workKey(resource.kind, '', resource.name);
  const live = stores.resource(resource.kind, '', resource.name);
  if (!live || live.metadata.deletionTimestamp !== undefined) {
    cache.forget(key);
    return {};
  }
  const problems = platformCache.problemsOf(resource.kind, live);
  const runtime = platformCache.platform?.spec.runtime;
  const resolved = platformCache.cluster(runtime?.profile ?? '');
  const cluster = 'cluster' in resolved ? resolved.cluster : undefined;
  const manifest = platformCache.manifestOf(resource.kind, live);
  const owned = manifest?.kind === 'Project' && cluster ? platformCache.namesOf(manifest, cluster.platform) : undefined;
  const { objects: desired, problems: expansionProblems = [] } =
    manifest && cluster ? expandManifest(manifest, cluster, owned?.names) : {};
  const outcome = desired && (await applyObjects(live, desired, manifest, context));
  const revisions =
    manifest?.kind === 'Platform' && cluster
      ? await reconcileRevisions(live, cluster, context)
      : (live['status'] as Partial<Status<'Platform'>> | undefined)?.revisions;
  const access = manifest?.kind === 'Platform' ? await accessOf(manifest, live, context) : undefined;
  const { status, events } = reportPlatformResource({
    live,
    problems: [...problems, ...expansionProblems],
    conflicts: manifest?.kind === 'Project' && cluster ? conflictsOf(manifest, cluster, owned) : [],
    missing: resource.kind === 'RuntimeProfile' || 'cluster' in resolved ? [] : resolved.problems,
    desired: desired ?? [],
    observed: observedBy(live, context),
    plan: outcome?.plan,
    rejected: outcome?.applied.rejected ?? [],
    workloads: workloadsOf(resource, context),
    ...(runtime && { runtime }),
    gateway: access?.status,
    revisions,
    projectRevisions: await projectRevisionsAfter(live, manifest, context),
    blockedReason: resource.kind === 'Platform' ? rolloutBlockedReason(context) : undefined,
    now: now(),
  });
  const delays = [
    outcome?.plan.requeueAfter,
    resource.kind === 'Platform' && requiresCanary(context) ? canaryPollInterval : undefined,
    access?.requeueAfter,
  ];
  const soonest = Math.min(...delays.filter((delay) => delay !== undefined));
  const again = Number.isFinite(soonest) ? { requeueAfter: soonest } : {};
  const requeue = outcome !== undefined && (outcome.applied.rejected.length > 0 || outcome.applied.conflicted);
  const change = statusChange(live['status'] as Fields | undefined, status);
  if (change === 'none') return { ...again, requeue };
  const since = change === 'numbers' ? cache.timeSinceStatusWrite(key, now()) : undefined;
  if (since !== undefined && since < countsInterval) return { requeueAfter: countsInterval - since, requeue };
  await writer.writeStatus(live, status);
  cache.recordStatusWrite(key, now());
  writer.recordEvents(live, events);
  return { ...again, requeue };
}

/** Returns the revisions of a Project for its status; those that it has while it or the Platform is invalid. */
async function projectRevisionsAfter(
  live: LiveObject,
  manifest: PlatformManifest | undefined,
  context: ReconcileContext,
): Promise<ProjectRevisions | undefined> {
  if (live.kind !== 'Project') return undefined;
  const { platform } = context.platformCache;
  return manifest?.kind === 'Project' && platform
    ? reconcileProjectRevisions(live, manifest, platform.spec.rollouts, context)
    : projectRevisionsOf(live);
}

/** Returns the state of the access to the API server, and when to look again. */
const accessOf = (platform: PlatformManifest<'Platform'>, live: LiveObject, { gatewayEnforcement }: ReconcileContext) =>
  gatewayEnforcement.stateOf(platform, (live['status'] as Status<'Platform'> | undefined)?.gateway);

const requiresCanary = ({ platformCache }: ReconcileContext): boolean =>
  platformCache.platform?.spec.runtime.canary !== undefined;

/** Returns why workloads are not rolled out to the current runtime profile automatically, for the status of the Platform. */
function rolloutBlockedReason({ platformCache, stores, now }: ReconcileContext): string | undefined {
  const runtime = platformCache.platform?.spec.runtime;
  const report = stores.child('ConfigMap', runtime?.canary?.project ?? '', canaryReport.name);
  return runtime && canaryHold(runtime, report, now());
}

const conflictsOf = (
  project: PlatformManifest<'Project'>,
  { platform }: PlatformContext,
  owned: OwnedProjectNames | undefined,
): readonly Problem[] => (owned?.conflicts ?? []).map((conflict) => nameConflictProblem(conflict, project, platform));

/** Expands a platform resource; an unexpected error is reported in its status, like other problems. */
function expandManifest(
  manifest: PlatformManifest,
  cluster: PlatformContext,
  names: ProjectNames | undefined,
): { readonly objects?: readonly KubernetesObject[]; readonly problems?: readonly Problem[] } {
  try {
    return { objects: objectsOf(manifest, cluster, names) };
  } catch (error) {
    if (error instanceof ProblemsError) return { problems: error.problems };
    const reason = `could not be expanded: ${errorText(error)}`;
    return { problems: [{ code: 'wrong-type', path: [], reason, remedy: 'report it to the platform team' }] };
  }
}

function objectsOf(
  manifest: PlatformManifest,
  cluster: PlatformContext,
  names: ProjectNames | undefined,
): readonly KubernetesObject[] {
  if (manifest.kind === 'Project') return expandProject(manifest, cluster, names);
  if (manifest.kind === 'Platform') return [...expandPlatform(cluster), ...nodeSupport(cluster).map(nodeSupportObject)];
  return [];
}

/** Returns the full object to apply for a resource that the platform creates for itself, with defaults. */
function nodeSupportObject(manifest: ReturnType<typeof nodeSupport>[number]): KubernetesObject {
  const { kind, metadata } = manifest;
  const { spec } = parseManifest(manifest as ManifestInput);
  const labels = { ...metadata.labels, [recommended.managedBy]: manager, [recommended.partOf]: manager };
  const { name, namespace } = metadata;
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }), labels }, spec };
}

/**
 * Returns the namespace of a platform resource's objects: a Project's own, or that of node-level components for the
 * Platform.
 */
const namespaceOf = ({ kind, metadata }: LiveObject, { platformCache }: ReconcileContext): string =>
  kind === 'Project' ? metadata.name : (platformCache.platform?.spec.runtime.project ?? '');

function observedBy(live: LiveObject, context: ReconcileContext): Observed {
  const { stores } = context;
  const { metadata } = live;
  const namespace = namespaceOf(live, context);
  return {
    // Quotas of system namespaces specify their namespace.
    child: (kind, name, at = namespace) => stores.child(kind, at, name),
    owned: stores.ownedBy(metadata.uid),
  };
}

async function applyObjects(
  live: LiveObject,
  desired: readonly KubernetesObject[],
  manifest: PlatformManifest | undefined,
  context: ReconcileContext,
): Promise<{ readonly plan: ReconcilePlan; readonly applied: AppliedPlan }> {
  const adopt = manifest?.kind === 'Project' && manifest.spec.adopt === true;
  const observed = observedBy(live, context);
  const request = {
    live,
    namespace: namespaceOf(live, context),
    desired,
    observed,
    adopt,
    allowLoss: new Set<never>(),
    // A namespace that existed before the Project outlives it.
    ...(adopt && { unowned: new Set([`Namespace/${live.metadata.name}`]) }),
    appliedCache: context.cache.appliedCacheOf(workKey(live.kind, '', live.metadata.name)),
  };
  const key = workKey(live.kind, '', live.metadata.name);
  const plan = throttleDriftCorrection(await planFor(request, context.writer), context.cache, key, context.now());
  context.cache.blockOn(key, request.namespace, [...plan.blockingIssues, ...(plan.awaited ?? [])]);
  return { plan, applied: await applyPlan(plan, context.writer, request.appliedCache) };
}

/** Returns the workloads that depend on a resource. */
function workloadsOf({ kind, name }: ResourceKey, { stores }: ReconcileContext): readonly LiveObject[] {
  if (kind === 'Project') return stores.workloadsIn(name);
  if (kind === 'Platform') return stores.workloads();
  if (kind === 'PlatformRevision')
    return stores.workloads().filter(({ status }) => revisionRecordOf(status)?.name === name);
  return stores
    .workloads()
    .filter((workload) => (workload['status'] as Fields | undefined)?.['runtimeProfile'] === name);
}
