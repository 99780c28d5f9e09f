import { trainingRoles, type Workload } from '../../api';
import { statusNumber, statusString, fieldsOf } from '../observed/child-status';
import { parseIndexes } from '../run/index-ranges';
import { newestPods } from './newest-pods';
import { type ReportInput } from './report';
import { type PodCounts } from './object-status';
import { type DesiredObjectStatus } from './desired-object-status';

type Fields = Readonly<Record<string, unknown>>;

/** The numbers of a workload's status, each kind its own. */
export function workloadCounts(input: ReportInput, stood: readonly DesiredObjectStatus[]): Fields {
  const { workload } = input;
  switch (workload?.kind) {
    case undefined:
      return {};
    case 'PinterestService':
      return { ...replicaCounts(stood), ...selectorOf(stood), ...hostsOf(stood) };
    case 'PinterestStatefulSet':
      return { ...replicaCounts(stood), ...selectorOf(stood) };
    case 'PinterestDaemon':
      return nodeCounts(stood);
    case 'PinterestCronJob':
      return cronCounts(input, stood);
    case 'PinterestJobSet':
      return { shards: shardCounts(input, stood) };
    case 'PinterestTrainingJob':
      return memberCounts(input, workload);
  }
}

const total = (stood: readonly DesiredObjectStatus[], count: keyof PodCounts): number =>
  stood.reduce((sum, { standing }) => sum + (standing.counts?.[count] ?? 0), 0);

const replicaCounts = (stood: readonly DesiredObjectStatus[]): Fields => ({
  replicas: total(stood, 'there'),
  readyReplicas: total(stood, 'ready'),
  updatedReplicas: total(stood, 'updated'),
  availableReplicas: total(stood, 'available'),
});

const nodeCounts = (stood: readonly DesiredObjectStatus[]): Fields => ({
  desiredNodes: total(stood, 'wanted'),
  readyNodes: total(stood, 'ready'),
  updatedNodes: total(stood, 'updated'),
});

/** What an autoscaler reads. */
function selectorOf(stood: readonly DesiredObjectStatus[]): Fields {
  const main = stood.find(({ object: { kind } }) => kind === 'Deployment' || kind === 'StatefulSet');
  const labels = Object.entries(fieldsOf(main?.object, 'spec', 'selector', 'matchLabels'));
  return labels.length === 0
    ? {}
    : {
        selector: labels
          .map(([key, value]) => `${key}=${String(value)}`)
          .sort()
          .join(','),
      };
}

/** So many host names a status takes. */
const maxHosts = 16;

function hostsOf(stood: readonly DesiredObjectStatus[]): Fields {
  const hosts = stood.flatMap(({ object }) => {
    const rules = object.kind === 'Ingress' ? fieldsOf(object, 'spec')['rules'] : undefined;
    return Array.isArray(rules) ? (rules as readonly { host?: string }[]).flatMap(({ host }) => host ?? []) : [];
  });
  return hosts.length === 0 ? {} : { hosts: [...new Set(hosts)].slice(0, maxHosts) };
}

function cronCounts({ observed }: ReportInput, stood: readonly DesiredObjectStatus[]): Fields {
  const main = stood.find(({ object }) => object.kind === 'CronJob');
  const status = (main && observed.child('CronJob', main.object.metadata.name)?.status) ?? {};
  const { active } = status;
  const times = {
    lastScheduleTime: statusString(status, 'lastScheduleTime'),
    lastSuccessfulTime: statusString(status, 'lastSuccessfulTime'),
  };
  return {
    active: Array.isArray(active) ? active.length : 0,
    ...(times.lastScheduleTime !== undefined && { lastScheduleTime: times.lastScheduleTime }),
    ...(times.lastSuccessfulTime !== undefined && { lastSuccessfulTime: times.lastSuccessfulTime }),
  };
}

function shardCounts({ observed, record }: ReportInput, stood: readonly DesiredObjectStatus[]): Fields {
  const jobs = stood.filter(({ object }) => object.kind === 'Job');
  const active = jobs.reduce((sum, { object }) => {
    const child = observed.child('Job', object.metadata.name);
    return sum + (child ? statusNumber(child.status, 'active') : 0);
  }, 0);
  return {
    active,
    succeeded: indexCount(record?.succeeded),
    failed: indexCount(record?.failed),
  };
}

const indexCount = (sets: Readonly<Record<string, string>> | undefined): number =>
  Object.values(sets ?? {}).reduce((sum, set) => sum + parseIndexes(set).size, 0);

/** Members by role; where all roles have one Job, they follow one another in its indexes. */
function memberCounts(input: ReportInput, { spec }: Workload<'PinterestTrainingJob'>): Fields {
  const { record, desired, observed } = input;
  const roles = trainingRoles[spec.framework].filter((role) => spec.roles[role] !== undefined);
  const alive = newestPods(desired, observed, input.pods).filter(
    ({ phase }) => phase === 'Pending' || phase === 'Running',
  );
  const starts = new Map<string, number>();
  roles.reduce((from, role) => {
    starts.set(role, from);
    return from + (spec.roles[role]?.replicas ?? 0);
  }, 0);
  const counts = roles.map((role) => {
    const from = starts.get(role) ?? 0;
    const most = spec.roles[role]?.replicas ?? 0;
    const own = alive.filter(({ member, index = 0 }) =>
      member === undefined ? index >= from && index < from + most : member === role,
    );
    const tally = {
      ready: own.filter(({ ready }) => ready).length,
      active: own.length,
      succeeded: parseIndexes(record?.succeeded[role]).size,
      failed: parseIndexes(record?.failed[role]).size,
    };
    return [role, tally] as const;
  });
  const members = roles.reduce((sum, role) => sum + (spec.roles[role]?.replicas ?? 0), 0);
  const ready = counts.reduce((sum, [, tally]) => sum + tally.ready, 0);
  return { roles: Object.fromEntries(counts), readyMembers: `${ready}/${members}` };
}
