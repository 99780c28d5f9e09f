import { roundUpQuantity, type Quantity } from '../api';

const one = 1_000_000_000n;

/** Unit of a resource. */
export type Measure = 'cpu' | 'bytes' | 'bandwidth' | 'count';

/** CPU, bytes, bytes per second, or a count of objects or devices. */
export function measureOf(resource: string): Measure {
  if (resource === 'requests.cpu') return 'cpu';
  if (resource.endsWith('bytesPerSecond')) return 'bandwidth';
  return /^(requests|limits)\.(memory|storage|ephemeral-storage)$/.test(resource) ||
    resource.endsWith('.storageclass.storage.k8s.io/requests.storage')
    ? 'bytes'
    : 'count';
}

/** Smallest step of each unit: a tenth of a core, 64Mi, 1Mi per second, one. */
const smallest = { cpu: one / 10n, bytes: (64n << 20n) * one, bandwidth: (1n << 20n) * one, count: one } as const;
const isBinary = (measure: Measure): boolean => measure === 'bytes' || measure === 'bandwidth';

/**
 * Rounds an amount up to a readable one: to a multiple of the largest step that is at most a twentieth of it.
 * Steps of bytes are powers of two from 64Mi, of bytes per second from 1Mi, other steps 1, 2 and 5 times a power of ten, from a tenth of a core or one.
 */
export function sensibly(resource: string, quantity: Quantity): Quantity {
  const measure = measureOf(resource);
  let step: bigint = smallest[measure];
  for (const next of stepsFrom(measure, step)) {
    if (next * 20n > quantity.nanos) break;
    step = next;
  }
  const { nanos } = roundUpQuantity(quantity, step);
  return { nanos, format: isBinary(measure) ? 'BinarySI' : 'DecimalSI' };
}

function* stepsFrom(measure: Measure, first: bigint): Generator<bigint> {
  if (isBinary(measure)) for (let step = first; ; step *= 2n) yield step;
  for (let step = first; ; step *= 10n) yield* [step, step * 2n, step * 5n];
}
