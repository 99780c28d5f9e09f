import { type FreeNode, type GangClaim, type RunRecord } from './run-plan';
import { nodesWithoutClaims } from './pack-members';

/**
 * Returns the capacity that a gang may use: the free capacity minus the claims of other gangs.
 *
 * A firm claim always counts. Among gangs that are about to start, one with a recorded claim yields only to earlier
 * ones, so that one of two conflicting gangs continues. `claims` holds the latest claim of each gang by its key.
 */
export function unclaimedNodes(
  own: { readonly key: string; readonly gang?: RunRecord['gang'] },
  claims: ReadonlyMap<string, GangClaim>,
  free: readonly FreeNode[],
): readonly FreeNode[] {
  const since = own.gang?.phase === 'Starting' ? own.gang.since : undefined;
  const others = [...claims].filter(
    ([key, claim]) =>
      key !== own.key &&
      (claim.firm || since === undefined || claim.since < since || (claim.since === since && key < own.key)),
  );
  return others.length === 0
    ? free
    : nodesWithoutClaims(
        free,
        others.map(([, { members }]) => members),
      );
}
