import { type KubeClient, type LiveObject, resourceOf, type Selection } from '../kube';

/** Lists all objects of a kind in pages. */
export async function listAllObjects(
  client: KubeClient,
  kind: string,
  selection: Selection = {},
  limit = 500,
): Promise<LiveObject[]> {
  const found: LiveObject[] = [];
  let next: string | undefined;
  do {
    const page = await client.list(resourceOf(kind), {
      ...selection,
      limit,
      ...(next !== undefined && { continue: next }),
    });
    found.push(...page.items);
    next = page.continue;
  } while (next !== undefined);
  return found;
}
