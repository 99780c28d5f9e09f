import { type KubeClient, type Selection } from './kube-client';
import { type LiveObject } from '../objects/live-object';
import { resourceOf } from '../objects/resource';

/** Objects per page, as in kubectl. */
const pageSize = 500;

/** Lists all objects of a kind, page by page. */
export async function listAllPages(client: KubeClient, kind: string, selection: Selection = {}): Promise<LiveObject[]> {
  const found: LiveObject[] = [];
  let next: string | undefined;
  do {
    const page = await client.list(resourceOf(kind), {
      ...selection,
      limit: pageSize,
      ...(next !== undefined && { continue: next }),
    });
    for (const item of page.items) found.push(item);
    next = page.continue;
  } while (next !== undefined);
  return found;
}
