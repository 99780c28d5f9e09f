import { type ApiRequest } from './api-request';
import { readsStorage } from './list-query';

/** Stored objects of a resource, as the API server estimates them for flow control. */
export interface ResourceStats {
  readonly objects: number;
  readonly averageBytes: number;
}

/** Stored objects by resource, such as `deployments.apps`. */
export type StatsByResource = ReadonlyMap<string, ResourceStats>;

/** Bytes in memory for which a list occupies one seat. */
const bytesPerSeat = 100_000;
/** Maximum bytes of a list from the watch cache, because its response is streamed. */
const maxCachedBytes = 1_000_000;
/** Maximum seats of a list, before the bound of its priority level. */
const maxListSeats = 100;

/**
 * Returns the seats that API Priority and Fairness gives a request: the estimate of Kubernetes 1.34 and later
 * (`SizeBasedListCostEstimate`), without the bound of a priority level. It is 1 if the size of the resource is unknown.
 */
export function estimateSeats(request: ApiRequest, stats: StatsByResource): number {
  const { verb, query } = request;
  if (verb !== 'list' && verb !== 'watch') return 1;
  const isCheapWatch = !query.sendsInitialEvents && query.resourceVersion !== '' && query.resourceVersion !== '0';
  if (verb === 'watch' && isCheapWatch) return 1;
  const isFromCache = verb === 'watch' || !readsStorage(query);
  const bytes = storedBytes(request, stats, isFromCache);
  const seats = Math.ceil((isFromCache ? Math.min(bytes, maxCachedBytes) : bytes) / bytesPerSeat);
  return Math.min(maxListSeats, Math.max(1, seats));
}

function storedBytes({ resource, name, query, listed }: ApiRequest, stats: StatsByResource, isFromCache: boolean) {
  const known = stats.get(resource);
  if (!known) return listed?.bytes ?? 0;
  const { objects, averageBytes } = known;
  const limited = query.limit > 0 ? Math.min(query.limit, objects) : objects;
  const isSelected = query.labelSelector !== '' || query.fieldSelector !== '';
  const loaded = name !== '' ? 1 : isSelected && !isFromCache ? Math.max(limited, Math.floor(objects / 2)) : limited;
  return loaded * averageBytes;
}

/**
 * Returns what a request costs in seat-seconds: its seats times the seconds that it held them. A watch holds its seats
 * only until it has started.
 */
export const requestSeatSeconds = (request: ApiRequest, stats: StatsByResource): number =>
  request.phase === 'ended' ? 0 : estimateSeats(request, stats) * request.seconds;
