import { type Problem } from '../../api';
import { type PlanDraft } from './draft-capacity-plan';

/** EBS limits by volume type (Amazon EBS User Guide). */
const limits = {
  gp3: { iops: [3000, 16_000], iopsPerGib: 500, gib: [1, 16_384] },
  io2: { iops: [100, 256_000], iopsPerGib: 1000, gib: [4, 65_536] },
} as const;
/** MB/s of a gp3 volume; the throughput of io2 follows from its IOPS. */
const throughput = { min: 125, max: 1000, perIops: 0.25 } as const;

/** Returns the problems of volume overrides that EBS would reject. */
export const volumeProblems = ({ values }: PlanDraft): Problem[] => [
  ...problemsOf('etcd', values),
  ...(values.eventsEtcd.value ? problemsOf('eventsEtcd', values) : []),
  ...(values.leasesEtcd.value ? problemsOf('leasesEtcd', values) : []),
];

function problemsOf(name: 'etcd' | 'eventsEtcd' | 'leasesEtcd', values: PlanDraft['values']): Problem[] {
  const parts = {
    Iops: values[`${name}Iops`],
    ThroughputMBps: values[`${name}ThroughputMBps`],
    VolumeGib: values[`${name}VolumeGib`],
    VolumeType: values[`${name}VolumeType`],
  } as const;
  const kind = parts.VolumeType.value;
  const [iops, mbps, gib] = [parts.Iops.value, parts.ThroughputMBps.value, parts.VolumeGib.value];
  const { iops: iopsRange, iopsPerGib, gib: gibRange } = limits[kind];
  const problem = (candidates: readonly (keyof typeof parts)[], reason: string, remedy: string): Problem[] => {
    const part = candidates.find((one) => parts[one].planned !== undefined);
    return part
      ? [{ code: 'out-of-range', path: ['overrides', `${name}${part}`], value: parts[part].value, reason, remedy }]
      : [];
  };
  const between = ([min, max]: readonly [number, number]): string => `${min} to ${max}`;
  const outside = (value: number, [min, max]: readonly [number, number]): boolean => value < min || value > max;
  if (outside(gib, gibRange))
    return problem(
      ['VolumeGib', 'VolumeType'],
      `is outside the range of ${kind}, ${between(gibRange)} GiB`,
      `use ${between(gibRange)} GiB`,
    );
  if (outside(iops, iopsRange))
    return problem(
      ['Iops', 'VolumeType'],
      `is outside the range of ${kind}, ${between(iopsRange)} IOPS${parts.Iops.planned === undefined ? `, and ${iops} are planned` : ''}`,
      `use ${between(iopsRange)} IOPS, or the other volume type`,
    );
  const maxIops = Math.min(iopsRange[1], gib * iopsPerGib);
  const minGib = Math.ceil(iops / iopsPerGib);
  const iopsProblems =
    iops > maxIops
      ? problem(
          ['Iops', 'VolumeGib', 'VolumeType'],
          `exceeds the limit of ${kind} for a volume of ${gib} GiB: ${iops} IOPS instead of at most ${maxIops}`,
          `use at least ${minGib} GiB, or at most ${maxIops} IOPS`,
        )
      : [];
  if (kind === 'io2') return iopsProblems;
  const maxMbps = Math.min(throughput.max, Math.floor(iops * throughput.perIops));
  const throughputProblems =
    mbps > maxMbps
      ? problem(
          ['ThroughputMBps', 'VolumeType', 'Iops'],
          `exceeds the limit of gp3 with ${iops} IOPS: ${mbps} MB/s instead of at most ${maxMbps}`,
          `use ${throughput.min} to ${maxMbps} MB/s${maxMbps < throughput.max ? `, or at least ${Math.ceil(Math.min(mbps, throughput.max) / throughput.perIops)} IOPS` : ''}`,
        )
      : [];
  return [...iopsProblems, ...throughputProblems];
}
