import { type ObjectCache } from '../cache/object-cache';
import { type ObjectSelection } from '../cache/object-selection';
import { type CachedReadPlan } from '../requests/read-plan';

/** Cost of a read, as it is known before. */
export interface ReadCost {
  /** Seats that it takes: 1 for each MiB that it sends, up to 10, as at the API server. */
  readonly seats: number;
  /** Bytes of its response. */
  readonly bytes: number;
  /** Bytes that it costs at least: objects that its selectors exclude were looked at all the same. @default 0 */
  readonly least?: number;
}

const bytesOfSeat = 1_024 * 1_024;
const maxSeats = 10;
/** Share of the cost of sending an object that looking at its labels and fields has. */
const selectionShare = 0.1;

/** Returns what a read from a cache will cost. Of a list with a selector, all objects of its namespace are looked at. */
export function readCostOf(plan: CachedReadPlan, cache: ObjectCache): ReadCost {
  if (plan.how === 'get') return { seats: 1, bytes: cache.get(plan.key)?.json.length ?? 0 };
  if (plan.how === 'watch' && !plan.initial) return { seats: 1, bytes: 0 };
  const bytes = bytesOf(plan.selection, cache);
  const seats = Math.min(maxSeats, Math.max(1, Math.ceil(bytes / bytesOfSeat)));
  return { seats, bytes, ...(plan.selection.isSelective && { least: bytes }) };
}

function bytesOf({ namespace, isSelective }: ObjectSelection, cache: ObjectCache): number {
  if (cache.size === 0) return 0;
  const bytes = (cache.bytes / cache.size) * cache.countIn(namespace);
  return isSelective ? bytes * selectionShare : bytes;
}
