import {
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  parseQuantity,
  addQuantities,
  type Quantity,
} from '../../api';

/** Resource whose quota is exceeded. */
export interface QuotaShortage {
  readonly resource: string;
  /** Request of one object. */
  readonly requested: string;
  readonly used: string;
  readonly limited: string;
  /** Missing amount for all missing objects; undefined if the numbers cannot be parsed. */
  readonly missing?: string;
}

/** Parsed message about an exceeded quota. */
export interface QuotaMessage {
  readonly quota: string;
  readonly shortages: readonly QuotaShortage[];
}

const pattern = /exceeded quota: ([^,\s]+), requested: (\S+), used: (\S+), limited: (\S+)/;

/**
 * Parses the API server's message about an exceeded quota; undefined for any other message. The message is about one
 * object; `missingObjects` is the number of missing objects of its kind.
 */
export function parseQuotaMessage(message: string, missingObjects = 1): QuotaMessage | undefined {
  const match = pattern.exec(message);
  if (!match) return undefined;
  const [, quota = '', ...lists] = match;
  const [requested = {}, used = {}, limited = {}] = lists.map(amountsOf);
  const shortages = Object.entries(requested).map(([resource, amount]): QuotaShortage => {
    const [usedAmount = '0', limit = '0'] = [used[resource], limited[resource]];
    const missing = missingOf(amount, missingObjects, usedAmount, limit);
    return { resource, requested: amount, used: usedAmount, limited: limit, ...(missing !== undefined && { missing }) };
  });
  return { quota, shortages };
}

const amountsOf = (list: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    list
      .split(',')
      .map((entry) => entry.split('='))
      .flatMap(([name, amount]) => (name && amount ? [[name, amount]] : [])),
  );

function missingOf(requested: string, missingObjects: number, used: string, limited: string): string | undefined {
  const [request, usedAmount, limit] = [requested, used, limited].map(parseQuantity);
  if (!request || !usedAmount || !limit) return undefined;
  const total = addQuantities(multiplyQuantity(request, BigInt(missingObjects)), usedAmount);
  const missing: Quantity = { nanos: total.nanos - limit.nanos, format: request.format };
  return compareQuantities(total, limit) > 0 ? formatQuantity(missing) : undefined;
}
