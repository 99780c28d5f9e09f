import { type Problem } from '../../api';
import { type PlanDraft } from './draft-capacity-plan';

/** EBS limits of each volume type (Amazon EBS User Guide, volume types). */
const limits = {
  gp3: { iops: [3000, 16_000], iopsPerGib: 500, gib: [1, 16_384] },
  io2: { iops: [100, 256_000], iopsPerGib: 1000, gib: [4, 65_536] },
} as const;
/** MB/s of a gp3 volume; the throughput of io2 follows from its IOPS. */
const throughput = { least: 125, most: 1000, perIops: 0.25 } as const;

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
  const { iops: ofIops, iopsPerGib, gib: ofGib } = limits[kind];
  const problem = (blamed: readonly (keyof typeof parts)[], reason: string, remedy: string): Problem[] => {
    const part = blamed.find((one) => parts[one].planned !== undefined);
    return part
      ? [{ code: 'out-of-range', path: ['overrides', `${name}${part}`], value: parts[part].value, reason, remedy }]
      : [];
  };
  const between = ([least, most]: readonly [number, number]): string => `${least} to ${most}`;
  const outside = (value: number, [least, most]: readonly [number, number]): boolean => value < least || value > most;
  if (outside(gib, ofGib))
    return problem(
      ['VolumeGib', 'VolumeType'],
      `is outside the range of ${kind}, ${between(ofGib)} GiB`,
      `use ${between(ofGib)} GiB`,
    );
  if (outside(iops, ofIops))
    return problem(
      ['Iops', 'VolumeType'],
      `is outside the range of ${kind}, ${between(ofIops)} IOPS${parts.Iops.planned === undefined ? `, and ${iops} are planned` : ''}`,
      `use ${between(ofIops)} IOPS, or the other volume type`,
    );
  const most = Math.min(ofIops[1], gib * iopsPerGib);
  const needed = Math.ceil(iops / iopsPerGib);
  const tooFast =
    iops > most
      ? problem(
          ['Iops', 'VolumeGib', 'VolumeType'],
          `exceeds the limit of ${kind} for a volume of ${gib} GiB: ${iops} of at most ${most} IOPS`,
          `use at least ${needed} GiB, or at most ${most} IOPS`,
        )
      : [];
  if (kind === 'io2') return tooFast;
  const maxMbps = Math.min(throughput.most, Math.floor(iops * throughput.perIops));
  const tooWide =
    mbps > maxMbps
      ? problem(
          ['ThroughputMBps', 'VolumeType', 'Iops'],
          `exceeds the limit of gp3 with ${iops} IOPS: ${mbps} of at most ${maxMbps} MB/s`,
          `use ${throughput.least} to ${maxMbps} MB/s${maxMbps < throughput.most ? `, or at least ${Math.ceil(Math.min(mbps, throughput.most) / throughput.perIops)} IOPS` : ''}`,
        )
      : [];
  return [...tooFast, ...tooWide];
}
