import { type PlatformManifest } from '../../api';
import { type RuntimeStatus } from '../platform/platform-with-profile';

type Release = PlatformManifest<'Platform'>['spec']['runtime']['expansionRelease'];

/** Release of held workloads in the status of the Platform, and since when the controller knows it. */
export type ReleaseRecord = NonNullable<RuntimeStatus['expansionRelease']>;

/**
 * Returns the record after the Platform released workloads until a time; undefined if it releases none. `time` is that of now,
 * RFC 3339. Pure, so that a reconcile of a workload does not have to wait for the status of the Platform.
 */
export function nextReleaseRecord(
  previous: ReleaseRecord | undefined,
  release: Release,
  time: string,
): ReleaseRecord | undefined {
  if (!release) return undefined;
  const { heldBefore } = release;
  return previous?.heldBefore === heldBefore ? previous : { heldBefore, since: time };
}
