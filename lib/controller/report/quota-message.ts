import {
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  parseQuantity,
  addQuantities,
  type Quantity,
} from '../../api';

/** Resource of which a quota has too little left. */
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

const form = /exceeded quota: ([^,\s]+), requested: (\S+), used: (\S+), limited: (\S+)/;

/**
 * Parses the API server's message about an exceeded quota; undefined for any other message. The message is about one
 * object; `lacking` is the number of missing objects of its kind.
 */
export function parseQuotaMessage(message: string, lacking = 1): QuotaMessage | undefined {
  const match = form.exec(message);
  if (!match) return undefined;
  const [, quota = '', ...lists] = match;
  const [requested = {}, used = {}, limited = {}] = lists.map(amountsOf);
  const shortages = Object.entries(requested).map(([resource, amount]): QuotaShortage => {
    const [taken = '0', most = '0'] = [used[resource], limited[resource]];
    const missing = missingOf(amount, lacking, taken, most);
    return { resource, requested: amount, used: taken, limited: most, ...(missing !== undefined && { missing }) };
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

function missingOf(requested: string, lacking: number, used: string, limited: string): string | undefined {
  const [asked, taken, most] = [requested, used, limited].map(parseQuantity);
  if (!asked || !taken || !most) return undefined;
  const wanted = addQuantities(multiplyQuantity(asked, BigInt(lacking)), taken);
  const missing: Quantity = { nanos: wanted.nanos - most.nanos, format: asked.format };
  return compareQuantities(wanted, most) > 0 ? formatQuantity(missing) : undefined;
}
