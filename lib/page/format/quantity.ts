const decimal: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
};
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Parses a Kubernetes quantity, such as 1.5 for 1500m; NaN if it is invalid. */
export function quantityValue(quantity: string): number {
  const [, digits = '', suffix = ''] =
    /^([+-]?(?:\d+\.?\d*|\.\d+))((?:[numkMGTPE]?|[KMGTPE]i)|[eE][+-]?\d+)$/.exec(quantity) ?? [];
  if (digits === '') return Number.NaN;
  const power = binary.indexOf(suffix);
  if (power >= 0) return Number(digits) * 1024 ** (power + 1);
  return suffix in decimal ? Number(digits) * (decimal[suffix] ?? 1) : Number(digits + suffix);
}

/** Label and unit of a resource. */
interface Measure {
  readonly label: string;
  readonly unit: 'cores' | 'bytes' | 'count';
}

/** Returns the label and unit of a quota resource. */
export function quotaMeasure(resource: string): Measure {
  const [, bound, name = resource] = /^(?:(requests|limits)\.)?(.+)$/.exec(resource) ?? [];
  const suffix = bound === undefined ? '' : ` ${bound}`;
  if (name === 'cpu') return { label: `CPU${suffix}`, unit: 'cores' };
  if (name === 'memory') return { label: `Memory${suffix}`, unit: 'bytes' };
  if (name === 'storage') return { label: 'Storage', unit: 'bytes' };
  if (name === 'ephemeral-storage') return { label: `Ephemeral storage${suffix}`, unit: 'bytes' };
  if (name === 'pods') return { label: 'Pods', unit: 'count' };
  if (name === 'persistentvolumeclaims') return { label: 'Volume claims', unit: 'count' };
  return { label: `${name.replace(/^count\//, '')}${suffix}`, unit: name.endsWith('.storage') ? 'bytes' : 'count' };
}

const steps = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Formats a quantity for display: cores, bytes in their largest unit, or a number; other text is unchanged. */
export function readableQuantity(quantity: string, resource: string): string {
  const amount = quantityValue(quantity);
  if (Number.isNaN(amount)) return quantity;
  const { unit } = quotaMeasure(resource);
  if (unit !== 'bytes') return `${shortNumber(amount)}${unit === 'cores' ? ` ${amount === 1 ? 'core' : 'cores'}` : ''}`;
  const step = amount < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log2(amount) / 10));
  return `${shortNumber(amount / 1024 ** step)} ${steps[step] ?? 'B'}`;
}

/** Formats a number: integer from 100, one decimal place below 100, two below 1. */
function shortNumber(amount: number): string {
  const [integer, oneDecimal, twoDecimals] = numbers;
  return (Math.abs(amount) < 1 ? twoDecimals : Math.abs(amount) < 100 ? oneDecimal : integer).format(amount);
}

const withPlaces = (maximumFractionDigits: number) => new Intl.NumberFormat('en', { maximumFractionDigits });
const numbers = [withPlaces(0), withPlaces(1), withPlaces(2)] as const;

/** Returns the used fraction of a quota, from 0 to 1; 1 if the quota is 0 and anything is used. */
export function usageFraction(amount: string, hard: string): number {
  const [part, whole] = [quantityValue(amount), quantityValue(hard)];
  if (!(part > 0)) return 0;
  return whole > 0 ? Math.min(1, part / whole) : 1;
}
