import { type Problem } from '../../api';
import { type PlanDraft } from './draft-capacity-plan';
import { plannedValues, type PlannedName } from './planned-values';
import { warning } from './warning';

type Need = readonly [name: PlannedName, need: (draft: PlanDraft) => number | undefined, what: string];

const asPlanned =
  (name: PlannedName) =>
  ({ values }: PlanDraft): number | undefined =>
    values[name].planned as number | undefined;

const volumes = (['etcd', 'eventsEtcd', 'leasesEtcd'] as const).flatMap((name): Need[] => [
  [`${name}VolumeGib`, asPlanned(`${name}VolumeGib`), 'GiB that three quotas and the operations need'],
  [`${name}Iops`, asPlanned(`${name}Iops`), 'operations per second that a storm needs'],
  [`${name}ThroughputMBps`, asPlanned(`${name}ThroughputMBps`), 'MB/s that a storm needs'],
]);

const needs: readonly Need[] = [
  ...volumes,
  ['eventsEtcdQuotaBytes', ({ values }) => values.eventsEtcdStormFileBytes.value, 'bytes that a storm fills'],
  ['leasesEtcdQuotaBytes', ({ values }) => values.leasesEtcdStormFileBytes.value, 'bytes that a storm fills'],
  ['goMemLimitBytes', ({ values }) => values.apiServerMemoryPeakBytes.value, 'bytes of the API server at its peak'],
  [
    'apiServerMemoryHighBytes',
    ({ values }) => values.apiServerMemoryPeakBytes.value,
    'bytes of the API server at its peak',
  ],
  ['controlPlaneNodeCores', asPlanned('controlPlaneNodeCores'), 'CPUs that the load needs of a control plane node'],
  [
    'controlPlaneNodeMemoryBytes',
    asPlanned('controlPlaneNodeMemoryBytes'),
    'bytes that the load needs of a control plane node',
  ],
  ['schedulerQps', ({ load }) => Math.ceil(load.podsPerSecond), 'pods created per second'],
  ['controllerManagerQps', ({ load }) => Math.ceil(load.podsPerSecond), 'pods created per second'],
];

/** Returns warnings of overridden sizes and rates that are smaller than the load needs. */
export const smallSizes = (draft: PlanDraft): Problem[] =>
  needs.flatMap(([name, need, what]) => {
    const { group } = plannedValues[name];
    const isMade =
      (group !== 'events' || draft.values.eventsEtcd.value) && (group !== 'leases' || draft.values.leasesEtcd.value);
    const { value, planned } = draft.values[name];
    const least = need(draft);
    if (!isMade || planned === undefined || typeof value !== 'number' || least === undefined || value >= least)
      return [];
    const shown = Number.isInteger(least) ? least : Number(least.toFixed(1));
    return [
      warning(['overrides', name], value, `is less than the ${shown} ${what}`, `use at least ${shown}, or remove it`),
    ];
  });
