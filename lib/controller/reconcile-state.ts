import { canaryReport, isRunKind, isWorkloadKind, type Status, type Workload } from '../api';
import { deployedSpecHash, isDeployment, nextRuntimeRecord } from '../expand';
import { type LiveObject } from '../client';
import { type Child, type Observed } from './observed/child';
import { canaryHold } from './canary-gate';
import { parseStoredManifest } from './parse-stored-manifest';
import { type ProjectResult } from './platform-cache';
import { hookRecordOf, type HookRecord } from './hooks/hook-record';
import { type RunRecord } from './run/run-plan';
import { computeJobProgress } from './run/job-progress';
import { recordOf } from './run/run-record';
import { releasedRevision, workloadProjectRevision, workloadRevision } from './revisions/workload-revision';
import { selectRuntimeProfile } from './select-runtime-profile';
import { type ReconcileContext } from './reconcile-context';
import { type Verification } from './verification/verification';

type Fields = Readonly<Record<string, unknown>>;

/** Inputs of a reconcile, read before it changes anything. */
export interface ReconcileState {
  readonly live: LiveObject;
  readonly record: RunRecord;
  readonly profile: string | undefined;
  /** Milliseconds until time alone changes the profile. */
  readonly profileChangesIn: number | undefined;
  /** PlatformRevision that its objects follow. @default - the Platform has no rollouts */
  readonly revision: string | undefined;
  /** Revision of its Project that its objects follow. @default - the Platform has no rollouts, or none is recorded */
  readonly projectRevision: string | undefined;
  /** Whether a rollout moves it to one of these revisions now. */
  readonly isMoving: boolean;
  readonly project: ProjectResult;
  readonly observed: Observed;
  readonly fingerprint: string;
  /** @default - the project is not protected, or not known */
  readonly verification?: Verification;
}

/**
 * Reads everything that a reconcile of a workload depends on; sends no request. `source` is the workload as it is expanded,
 * which differs from the live one in a protected project.
 */
export function prepareReconcile(live: LiveObject, context: ReconcileContext, source = live): ReconcileState {
  const { stores, platformCache, cache, now } = context;
  const { uid, namespace = '', name } = live.metadata;
  const status = (live['status'] ?? {}) as Fields;
  const record = recordOf(status);
  const owned = stores.ownedBy(uid);
  const jobs = isRun(live.kind) ? owned.filter(({ kind }) => kind === 'Job') : [];
  const profile = status['runtimeProfile'] ?? profileOfPods(live.kind, owned);
  const running = isRunning(record, jobs);
  const facts = { status, owned, isRunning: running, isRedeployed: () => isRedeployed(live, status, source) };
  const revision = workloadRevision(live, { ...facts, profile }, context);
  const projectRevision = revision === undefined ? undefined : workloadProjectRevision(live, revision, facts, context);
  const selected =
    revision === undefined ? selectProfile(live, { status, profile, running, source }, context) : undefined;
  const project =
    revision === undefined
      ? platformCache.context(namespace, selected?.profile ?? '')
      : platformCache.contextAt(namespace, revision, projectRevision);
  const ownedByPredecessor = stores.ownedByPredecessor(live.kind, namespace, name, uid);
  const observed: Observed = {
    child: (kind, childName) => stores.child(kind, namespace, childName),
    owned,
    ownedByPredecessor,
  };
  const rivals = owned.flatMap((child) => stores.routeRivals(child));
  const versioned = [...owned, ...ownedByPredecessor, ...rivals, ...stores.podsOf(live.kind, namespace, name)];
  return {
    live,
    record,
    profile: revision === undefined ? selected?.profile : platformCache.profileOfRevision(revision),
    ...{ revision, projectRevision },
    isMoving:
      (revision !== undefined && releasedRevision(uid, undefined, stores) === revision) ||
      (projectRevision !== undefined && releasedRevision(uid, namespace, stores) === projectRevision),
    profileChangesIn: selected?.changesAt === undefined ? undefined : Math.max(0, selected.changesAt - now()),
    project,
    observed,
    fingerprint: cache.fingerprint(live, 'context' in project ? project.context : project.problems, versioned),
  };
}

/** Returns whether a run has started; its Jobs show it before the record does. */
const isRunning = (record: RunRecord, jobs: readonly Child[]): boolean =>
  record.outcome === undefined &&
  (record.started !== undefined || jobs.some((child) => computeJobProgress(child).started !== undefined));

/** Returns the profile of existing pod templates, which show it before the status does, and if the status is lost. */
const profileOfPods = (kind: string, owned: readonly Child[]): string | undefined =>
  // Jobs of hooks say nothing about the pods that serve.
  owned.find((child) => child.profile !== undefined && (child.kind !== 'Job' || isRun(kind)))?.profile;

const isRun = (kind: string): boolean => isWorkloadKind(kind) && isRunKind(kind);

interface Deployed {
  readonly status: Fields;
  /** Profile that its pods were created with, if known. */
  readonly profile: unknown;
  readonly running: boolean;
  /** Workload as it is expanded. */
  readonly source: LiveObject;
}

function selectProfile(
  live: LiveObject,
  { status, profile, running, source }: Deployed,
  { platformCache, stores, now }: ReconcileContext,
) {
  const platform = platformCache.platform;
  if (!platform) return undefined;
  const { runtime } = platform.spec;
  const platformStatus = stores.resource('Platform', '', 'cluster')?.['status'] as Status<'Platform'> | undefined;
  const record = nextRuntimeRecord(platformStatus?.runtime, runtime, new Date(now()).toISOString());
  const recorded = typeof profile === 'string' ? profile : undefined;
  return selectRuntimeProfile({
    runtime,
    currentSince: platformStatus?.runtime === record ? Date.parse(record.since) : undefined,
    recorded,
    withdrawn: recorded !== undefined && (record.withdrawnProfiles ?? []).includes(recorded),
    redeployed: isRedeployed(live, status, source),
    running,
    profileState: (profile) => platformCache.profileState(profile, runtime),
    isHeld: () => {
      const report = stores.child('ConfigMap', runtime.canary?.project ?? '', canaryReport.name);
      return canaryHold(runtime, report, now()) !== undefined;
    },
    now: now(),
  });
}

/** Returns whether a spec that has not been deployed yet is another one than the deployed one. */
function isRedeployed(live: LiveObject, status: Fields, source: LiveObject): boolean {
  const isNew =
    status['observedGeneration'] !== live.metadata.generation ||
    status['phase'] === 'Invalid' ||
    isPending(hookRecordOf(status));
  if (!isNew) return false;
  const recorded = status['deployedSpecHash'];
  const { manifest } = parseStoredManifest(source);
  return (
    manifest !== undefined &&
    isDeployment(typeof recorded === 'string' ? recorded : undefined, deployedSpecHash(manifest as Workload))
  );
}

/** Returns whether a spec waits for its hooks, so that it is deployed later. */
const isPending = (record: HookRecord | undefined): boolean => record !== undefined && record.phase !== 'Succeeded';
