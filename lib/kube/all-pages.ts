import { type KubeClient, type Selection } from './kube-client';
import { type LiveObject } from './live-object';
import { resourceOf } from './resource';

/** Objects of one page: what the API server's own tools ask for. */
const pageSize = 500;

/** All objects of a kind that a selection means, page by page. */
export async function allPages(client: KubeClient, kind: string, selection: Selection = {}): Promise<LiveObject[]> {
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
