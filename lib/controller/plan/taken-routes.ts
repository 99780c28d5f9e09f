import { isProtectedProject, ingressRoutesOf, type KubernetesObject } from '../../expand';
import { type LiveObject } from '../../client';
import { type Stores } from '../observed/stores';
import { type ProjectResult } from '../platform-cache';
import { type Expansions } from '../workload-expansion';

/** Route of a workload that an older workload of its project has. */
export interface TakenRoute {
  /** Such as `www.example.com/api`. */
  readonly route: string;
  readonly owner: LiveObject;
  /** Name of the Ingress with the route. */
  readonly ingress: string;
}

/** Data to find taken routes with. */
export interface TakenRoutesInput {
  readonly stores: Pick<Stores, 'routeRivals' | 'ownedBy'>;
  readonly expansions: Expansions;
  readonly project: ProjectResult;
}

/** Lists the routes in the objects of a workload that older workloads of its project have; of each, the oldest one. */
export function takenRoutes(
  live: LiveObject,
  objects: readonly KubernetesObject[],
  { stores, expansions, project }: TakenRoutesInput,
): readonly TakenRoute[] {
  const own = objects.flatMap((object) =>
    ingressRoutesOf(object).map(({ key, text }) => ({ key, route: text, ingress: object.metadata.name })),
  );
  if (own.length === 0) return [];
  const open = new Map(own.map((route) => [route.key, route]));
  const taken: TakenRoute[] = [];
  const older = stores
    .routeRivals(live)
    .filter((rival) => isOlder(rival, live))
    .sort((a, b) => (isOlder(a, b) ? -1 : 1));
  for (const owner of older) {
    for (const object of objectsOf(owner, { stores, expansions, project })) {
      for (const { key } of ingressRoutesOf(object)) {
        const found = open.get(key);
        if (!found || !open.delete(key)) continue;
        taken.push({ route: found.route, owner, ingress: found.ingress });
      }
    }
    if (open.size === 0) break;
  }
  return taken;
}

/** Returns whether a workload is older than another one; of two created at the same time, that with the lower name. */
export function isOlder(one: LiveObject, other: LiveObject): boolean {
  const [a, b] = [one, other].map(({ kind, metadata: { creationTimestamp = '', name } }) => [
    creationTimestamp,
    name,
    kind,
  ]) as [string[], string[]];
  const index = a.findIndex((value, at) => value !== b[at]);
  return index >= 0 && (a[index] as string) < (b[index] as string);
}

/** Returns the objects of a workload. In a protected project, anyone's change of a spec counts only once it is carried out. */
function objectsOf(rival: LiveObject, { stores, expansions, project }: TakenRoutesInput): readonly KubernetesObject[] {
  if (rival.metadata.deletionTimestamp !== undefined) return [];
  if ('context' in project && isProtectedProject(project.context))
    return stores
      .ownedBy(rival.metadata.uid)
      .filter(({ kind }) => kind === 'Ingress')
      .map((child) => child.content() as unknown as KubernetesObject);
  return expansions.of({ live: rival, project }).objects ?? [];
}
