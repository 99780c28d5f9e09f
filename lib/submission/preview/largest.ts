import { valueAt, type FieldPath, type Workload } from '../../api';

/** The number by which a workload has more or fewer pods. */
export interface Scale {
  /** Below spec. */
  readonly path: FieldPath;
  readonly present: number;
  /** The least that still is the same workload. */
  readonly least: number;
}

/** By what a workload scales; undefined where nothing of it is a free choice of a number. */
export function scaleOf({ kind, spec }: Workload): Scale | undefined {
  switch (kind) {
    case 'PinterestService':
      return spec.autoscaling
        ? {
            path: ['autoscaling', 'maxReplicas'],
            present: spec.autoscaling.maxReplicas,
            least: spec.autoscaling.minReplicas,
          }
        : { path: ['replicas'], present: spec.replicas ?? 1, least: 1 };
    case 'PinterestStatefulSet':
      return { path: ['replicas'], present: spec.replicas, least: 1 };
    case 'PinterestJobSet':
      return { path: ['parallelism'], present: spec.parallelism ?? spec.shards, least: 1 };
    case 'PinterestCronJob':
      return { path: ['parallelism'], present: spec.parallelism, least: 1 };
    case 'PinterestTrainingJob':
      return (
        spec.roles['worker'] && {
          path: ['roles', 'worker', 'replicas'],
          present: spec.roles['worker'].replicas,
          least: 1,
        }
      );
    default:
      return undefined;
  }
}

/** A spec with another number at a path. */
export function withNumber(spec: object, [step = '', ...rest]: FieldPath, number: number): object {
  const member = valueAt(spec, [step]);
  return { ...spec, [step]: rest.length === 0 ? number : withNumber(member ?? {}, rest, number) };
}

/**
 * The largest number from `least` on, and below `present`, of which something is true that is true of every smaller one too.
 *
 * Undefined where it is not true of the least. A good guess saves looking.
 */
export function largest(
  least: number,
  present: number,
  guess: number,
  isTrue: (number: number) => boolean,
): number | undefined {
  let [low, high] = [least - 1, present];
  for (let next = guess; high - low > 1; next = next === guess ? guess + 1 : Math.floor((low + high) / 2)) {
    const tried = Math.min(Math.max(next, low + 1), high - 1);
    if (isTrue(tried)) low = tried;
    else high = tried;
  }
  return low < least ? undefined : low;
}
