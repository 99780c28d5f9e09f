import { type Page } from '../contract';
import { address, type PageTransport, type Failed } from './page-transport';

/** Items that are asked for at once: the most that the service gives. */
const pageSize = 1000;

/** Reads a list page by page, and passes on each page as it arrives. Returns the error that stopped it, if any. */
export async function listAll<T>(
  exchange: PageTransport,
  path: string,
  take: (items: readonly T[]) => void,
  signal: AbortSignal,
): Promise<Failed | undefined> {
  let after: string | undefined;
  do {
    const outcome = await exchange.get<Page<T>>(address(path, { limit: pageSize, after }), signal);
    if (!outcome.ok) return outcome.failed;
    take(outcome.value.items);
    after = outcome.value.next;
  } while (after !== undefined);
  return undefined;
}
