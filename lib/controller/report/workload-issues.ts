import { isWorkloadKind, parseDuration, textAt, valueAt } from '../../api';
import { type LiveObject } from '../../client';
import { type Child } from '../observed/child';
import { statusString } from '../observed/child-status';
import { type InformerStores } from '../observed/informer-stores';
import { nextStart } from '../schedule/next-start';

/** Issue of a workload that its readiness does not show. */
export interface WorkloadIssue {
  readonly issue: 'Missed' | 'Overlapping' | 'Overdue' | 'Failing' | 'AtMaxReplicas';
  readonly kind: string;
  readonly project: string;
  readonly workload: string;
}

type IssueName = WorkloadIssue['issue'];

/** Milliseconds after a scheduled start before it is overdue: the CronJob controller needs seconds. */
const startGrace = 60_000;

/** A CronJob of a workload, and the last change of the workload's spec that this process saw. */
interface ScheduledWork {
  readonly resource: LiveObject;
  readonly cronJob: Child;
  readonly changed: number;
}

/** Generation of a workload, and since when this process has seen it; 0 for the first one that it saw. */
interface SeenGeneration {
  readonly generation: number;
  readonly since: number;
}

/** Issues of cron jobs and autoscalers, from the cache. */
export class WorkloadIssues {
  readonly #stores: Pick<InformerStores, 'resource' | 'children' | 'ownedBy'>;
  readonly #now: () => number;
  #generations: ReadonlyMap<string, SeenGeneration> = new Map();
  /** Searches through calendars, which the next scrape repeats. */
  readonly #due = new WeakMap<Child, { readonly work: ScheduledWork; readonly time: number | undefined }>();

  constructor(stores: Pick<InformerStores, 'resource' | 'children' | 'ownedBy'>, now: () => number) {
    this.#stores = stores;
    this.#now = now;
  }

  /** Returns the issues of all workloads. */
  list(): readonly WorkloadIssue[] {
    const cronJobs = this.#scheduledWork().flatMap((work) =>
      this.#issuesOf(work).map((issue) => ({ issue, ...labelsOf(work.cronJob) })),
    );
    const autoscalers = this.#stores
      .children('HorizontalPodAutoscaler')
      .filter((child) => isAtMaxReplicas(child) && this.#ownerOf(child) !== undefined)
      .map((child) => ({ issue: 'AtMaxReplicas' as const, ...labelsOf(child) }));
    return [...cronJobs, ...autoscalers];
  }

  /** Returns the workload that owns an object; undefined for one that names an owner that does not exist. */
  #ownerOf({ controller, namespace }: Child): LiveObject | undefined {
    if (controller === undefined || !isWorkloadKind(controller.kind)) return undefined;
    const resource = this.#stores.resource(controller.kind, namespace, controller.name);
    return resource?.metadata.uid === controller.uid ? resource : undefined;
  }

  #scheduledWork(): readonly ScheduledWork[] {
    const seen = new Map<string, SeenGeneration>();
    const found = this.#stores.children('CronJob').flatMap((cronJob) => {
      const resource = this.#ownerOf(cronJob);
      if (resource === undefined || cronJob.deleting) return [];
      const { uid, generation = 0 } = resource.metadata;
      const before = this.#generations.get(uid);
      const since = before === undefined ? 0 : before.generation === generation ? before.since : this.#now();
      seen.set(uid, { generation, since });
      return [{ resource, cronJob, changed: since }];
    });
    this.#generations = seen;
    return found;
  }

  #issuesOf(work: ScheduledWork): readonly IssueName[] {
    const { resource, cronJob } = work;
    const jobs = this.#stores.ownedBy(cronJob.uid).filter(({ kind, deleting }) => kind === 'Job' && !deleting);
    const names = activeNames(cronJob);
    const active = jobs.filter((job) => names.has(job.name) && !isFinished(job));
    const isDue = valueAt(resource, ['spec', 'suspend']) !== true && this.#isStartDue(work);
    const found: (readonly [IssueName, boolean])[] = [
      ['Missed', isDue && active.length === 0],
      ['Overlapping', active.length > 1 || (isDue && active.length > 0)],
      ['Overdue', active.some((job) => this.#isOverdue(job, textAt(resource, 'spec', 'expectedDuration')))],
      ['Failing', isFailing(resource, cronJob, jobs)],
    ];
    return found.filter(([, applies]) => applies).map(([issue]) => issue);
  }

  /** Returns whether a start is due that did not happen. */
  #isStartDue(work: ScheduledWork): boolean {
    const known = this.#due.get(work.cronJob);
    const isKnown = known?.work.resource === work.resource && known.work.changed === work.changed;
    const time = isKnown ? known.time : dueTime(work);
    if (!isKnown) this.#due.set(work.cronJob, { work, time });
    return time !== undefined && this.#now() > time + startGrace;
  }

  #isOverdue(job: Child, expectedDuration: string | undefined): boolean {
    const expected = parseDuration(expectedDuration ?? '')?.millis;
    const start = timeIn(job, 'startTime');
    return expected !== undefined && start !== undefined && this.#now() - start > expected;
  }
}

const labelsOf = ({ namespace, controller }: Child) => ({
  kind: controller?.kind ?? '',
  project: namespace,
  workload: controller?.name ?? '',
});

/**
 * Returns the time of the first start that the CronJob's status does not have yet.
 *
 * Starts before a change of the spec do not count: they may have been suspended, and `startingDeadline` then omits them.
 */
function dueTime({ resource, cronJob, changed }: ScheduledWork): number | undefined {
  const created = Date.parse(resource.metadata.creationTimestamp ?? '');
  const last = timeIn(cronJob, 'lastScheduleTime') ?? created;
  const after = Math.max(last, changed);
  const schedule = textAt(resource, 'spec', 'schedule');
  if (Number.isNaN(after) || schedule === undefined) return undefined;
  return nextStart(schedule, textAt(resource, 'spec', 'timeZone') ?? 'Etc/UTC', after);
}

function timeIn({ status }: Child, field: string): number | undefined {
  const time = Date.parse(statusString(status, field) ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the names of the runs that the schedule started; one that a user started is not among them. */
function activeNames({ status }: Child): ReadonlySet<string> {
  const { active } = status;
  return new Set(
    Array.isArray(active) ? (active as readonly { readonly name?: string }[]).flatMap(({ name }) => name ?? []) : [],
  );
}

const hasCondition = ({ status }: Child, type: string, reason?: string): boolean =>
  Array.isArray(status['conditions']) &&
  (status['conditions'] as readonly { type: string; status: string; reason?: string }[]).some(
    (condition) =>
      condition.type === type && condition.status === 'True' && (reason === undefined || condition.reason === reason),
  );

const isFinished = (job: Child): boolean => hasCondition(job, 'Complete') || hasCondition(job, 'Failed');

/** Returns whether the last finished run failed. */
function isFailing(resource: LiveObject, cronJob: Child, jobs: readonly Child[]): boolean {
  const newest = (runs: readonly Child[]) => Math.max(...runs.map((job) => timeIn(job, 'startTime') ?? 0));
  const failed = jobs.filter((job) => hasCondition(job, 'Failed'));
  const succeeded = jobs.filter((job) => hasCondition(job, 'Complete'));
  if (failed.length > 0) return newest(failed) > Math.max(newest(succeeded), 0);
  const [started, success] = [timeIn(cronJob, 'lastScheduleTime'), timeIn(cronJob, 'lastSuccessfulTime')];
  // Failed runs that are not kept leave only the time of the last successful one.
  const keepsNone = valueAt(resource, ['spec', 'history', 'failed']) === 0;
  return keepsNone && started !== undefined && activeNames(cronJob).size === 0 && started > (success ?? 0);
}

/** Returns whether an autoscaler would have more pods than it may. */
const isAtMaxReplicas = (autoscaler: Child): boolean => hasCondition(autoscaler, 'ScalingLimited', 'TooManyReplicas');
