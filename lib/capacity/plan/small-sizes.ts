import { type Problem } from '../../api';
import { type PlanDraft } from './draft-capacity-plan';
import { plannedValues, type PlannedName } from './planned-values';
import { warning } from './warning';

type Need = readonly [name: PlannedName, need: (draft: PlanDraft) => number | undefined, noun: string];

const plannedValue =
  (name: PlannedName) =>
  ({ values }: PlanDraft): number | undefined =>
    values[name].planned as number | undefined;

const volumes = (['etcd', 'eventsEtcd', 'leasesEtcd'] as const).flatMap((name): Need[] => [
  [`${name}VolumeGib`, plannedValue(`${name}VolumeGib`), 'GiB for three quotas and the provisioned IOPS'],
  [`${name}Iops`, plannedValue(`${name}Iops`), 'IOPS needed in a storm'],
  [`${name}ThroughputMBps`, plannedValue(`${name}ThroughputMBps`), 'MB/s needed in a storm'],
]);

const needs: readonly Need[] = [
  ...volumes,
  ['eventsEtcdQuotaBytes', ({ values }) => values.eventsEtcdStormFileBytes.value, 'bytes that etcd needs in a storm'],
  ['leasesEtcdQuotaBytes', ({ values }) => values.leasesEtcdStormFileBytes.value, 'bytes that etcd needs in a storm'],
  ['goMemLimitBytes', ({ values }) => values.apiServerMemoryPeakBytes.value, 'bytes of peak API server memory'],
  [
    'apiServerMemoryHighBytes',
    ({ values }) => values.apiServerMemoryPeakBytes.value,
    'bytes of peak API server memory',
  ],
  ['controlPlaneNodeCores', plannedValue('controlPlaneNodeCores'), 'CPUs that the load needs per control plane node'],
  [
    'controlPlaneNodeMemoryBytes',
    plannedValue('controlPlaneNodeMemoryBytes'),
    'bytes that the load needs per control plane node',
  ],
  ['schedulerQps', ({ load }) => Math.ceil(load.podsPerSecond), 'pods created per second'],
  ['controllerManagerQps', ({ load }) => Math.ceil(load.podsPerSecond), 'pods created per second'],
];

/** Returns warnings about overridden sizes and rates that are smaller than the load needs. */
export const smallSizes = (draft: PlanDraft): Problem[] =>
  needs.flatMap(([name, need, noun]) => {
    const { group } = plannedValues[name];
    const isUsed =
      (group !== 'events' || draft.values.eventsEtcd.value) && (group !== 'leases' || draft.values.leasesEtcd.value);
    const { value, planned } = draft.values[name];
    const minimum = need(draft);
    if (!isUsed || planned === undefined || typeof value !== 'number' || minimum === undefined || value >= minimum)
      return [];
    const shown = Number.isInteger(minimum) ? minimum : Number(minimum.toFixed(1));
    return [
      warning(['overrides', name], value, `is less than the ${shown} ${noun}`, `use at least ${shown}, or remove it`),
    ];
  });
