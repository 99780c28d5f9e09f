import { type KubeClient, type Selection } from './kube-client';
import { type LiveObject } from '../objects/live-object';
import { resourceOf } from '../objects/resource';

/** Objects per page, as in kubectl. */
const pageSize = 500;

/** Lists the objects of a kind page by page, so that not all are in memory. */
export async function* listPages(
  client: Pick<KubeClient, 'list'>,
  kind: string,
  selection: Selection = {},
  limit = pageSize,
): AsyncGenerator<readonly LiveObject[]> {
  let next: string | undefined;
  do {
    const page = await client.list(resourceOf(kind), {
      ...selection,
      limit,
      ...(next !== undefined && { continue: next }),
    });
    yield page.items;
    next = page.continue;
  } while (next !== undefined);
}

/** Lists all objects of a kind. */
export async function listAllPages(client: KubeClient, kind: string, selection: Selection = {}): Promise<LiveObject[]> {
  const found: LiveObject[] = [];
  for await (const page of listPages(client, kind, selection)) for (const item of page) found.push(item);
  return found;
}
