/** One series of a rule test, in promtool's notation. */
export interface Series {
  readonly series: string;
  readonly values: string;
}

type Labels = Readonly<Record<string, string>>;

/** A series as Prometheus writes it: `up{job="etcd"}`. */
export const named = (name: string, labels: Labels): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',')}}`;

/** Minutes that series last: longer than any alert waits but one, which has its own. */
const minutes = 300;

/** A series that keeps its value. */
export const stays = (name: string, labels: Labels, value: number): Series => ({
  series: named(name, labels),
  values: `${value}+0x${minutes}`,
});

/** A series that grows by so much a second, from a value. */
export const grows = (name: string, labels: Labels, perSecond: number, from = 0): Series => ({
  series: named(name, labels),
  values: `${from}+${perSecond * 60}x${minutes}`,
});

/** A series that is one value for some minutes and another one after. */
export const turns = (name: string, labels: Labels, before: number, after: number, minute: number): Series => ({
  series: named(name, labels),
  values: `${before}+0x${minute - 1} ${after}+0x${minutes - minute}`,
});

/** A histogram with so many observations a second, a share of them within a bound, the rest within the next. */
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
