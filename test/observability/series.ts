/** A series of a rule test, in promtool's notation. */
export interface Series {
  readonly series: string;
  readonly values: string;
}

type Labels = Readonly<Record<string, string>>;

/** Formats a series as Prometheus does: `up{job="etcd"}`. */
export const named = (name: string, labels: Labels): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',')}}`;

/** Duration of a series in minutes: longer than the `for` of every alert but one, whose series set their own. */
const minutes = 300;

/** Returns a series with a constant value. */
export const stays = (name: string, labels: Labels, value: number): Series => ({
  series: named(name, labels),
  values: `${value}+0x${minutes}`,
});

/** Returns a series that grows at a rate per second, from a start value. */
export const grows = (name: string, labels: Labels, perSecond: number, from = 0): Series => ({
  series: named(name, labels),
  values: `${from}+${perSecond * 60}x${minutes}`,
});

/** Returns a series with one value for some minutes and another one afterwards. */
export const turns = (name: string, labels: Labels, before: number, after: number, minute: number): Series => ({
  series: named(name, labels),
  values: `${before}+0x${minute - 1} ${after}+0x${minutes - minute}`,
});

/** Returns a series with a constant value that ends after some minutes, as that of a target that is gone. */
export const ends = (name: string, labels: Labels, value: number, minute: number): Series => ({
  series: named(name, labels),
  values: `${value}+0x${minute - 1} stale`,
});

/** Returns a histogram with a rate of observations per second, a share of them in one bucket and the rest in the next. */
export function spread(
  name: string,
  labels: Labels,
  {
    bounds,
    within,
    perSecond = 10,
  }: { readonly bounds: readonly [number, number]; readonly within: number; readonly perSecond?: number },
): Series[] {
  return [
    grows(`${name}_bucket`, { ...labels, le: String(bounds[0]) }, perSecond * within),
    grows(`${name}_bucket`, { ...labels, le: String(bounds[1]) }, perSecond),
    grows(`${name}_bucket`, { ...labels, le: '+Inf' }, perSecond),
    grows(`${name}_count`, labels, perSecond),
  ];
}
