import {
  addAmounts,
  type ResourceList,
  formatQuantity,
  isWorkloadReady,
  type PlatformManifest,
  type Quantity,
} from '../../api';
import { type ProjectView } from '../../contract';
import { type Role } from '../authorization';
import { type DeploymentTarget } from '../targets/deployment-target';
import { dayAt, levelOf, forecastQuota, type DayUsage } from '../../quota';
import { linksOf } from './workload-view';

const millisecondsPerDay = 86_400_000;

/** Returns the view of a project on a cluster for a member; `now` is in milliseconds since the Unix epoch. */
export function projectView(
  target: DeploymentTarget,
  { metadata: { name }, spec }: PlatformManifest<'Project'>,
  role: Role,
  now: number,
): ProjectView {
  const workloads = target.workloads(name);
  const found = target.snapshotOf(name);
  const peaks = 'snapshot' in found ? workloads.map((live) => found.snapshot.peakOf(live)) : [];
  const promised = peaks.reduce(addAmounts, {} as ResourceList);
  const { used, hard } = target.quota(name);
  const text = (amounts: ResourceList, resource: string): string =>
    amounts[resource] ? formatQuantity(amounts[resource]) : '0';
  return {
    name,
    target: target.name,
    team: spec.team,
    ...(spec.onCall !== undefined && { onCall: spec.onCall }),
    links: linksOf(spec.links),
    role,
    stages: (spec.stages ?? []).map((stage) => stage.name),
    quota: Object.keys(hard).map((resource) => ({
      resource,
      hard: text(hard, resource),
      used: text(used, resource),
      promised: text(promised, resource),
      ...forecast(target.history(name), resource, hard[resource], used[resource], now),
    })),
    workloads: workloads.length,
    notReady: workloads.filter((live) => !isWorkloadReady(live)).length,
  };
}

/** Returns the state of a quota by the peaks of the last week, or by current use if that is higher. */
function forecast(
  days: readonly DayUsage[],
  resource: string,
  hard: Quantity | undefined,
  used: Quantity | undefined,
  now: number,
): Pick<ProjectView['quota'][number], 'level' | 'fullOn'> {
  if (!hard) return { level: 'ok' };
  const today = dayAt(now);
  const currentUsage: DayUsage = { day: today, peaks: used ? { [resource]: used } : {}, consumed: {} };
  const before = days.filter(({ day, peaks }) => day !== today || !largerThan(used, peaks[resource]));
  const outlook = forecastQuota(
    before.some(({ day }) => day === today) ? before : [...before, currentUsage],
    resource,
    hard,
    today,
  );
  const full = outlook.full?.expected;
  return {
    level: levelOf(outlook),
    ...(full !== undefined && { fullOn: new Date(full * millisecondsPerDay).toISOString().slice(0, 10) }),
  };
}

const largerThan = (one: Quantity | undefined, other: Quantity | undefined): boolean =>
  one !== undefined && (other === undefined || one.nanos > other.nanos);
