import { apiVersion, type PlatformManifest, type Status } from '../../../lib/api';
import { platformRevisionOf, resolvePlatform, type StoredPlatformObject } from '../../../lib/expand';

/** Returns a PlatformRevision of manifests as a cluster stores it. */
export function storedRevision(
  manifests: readonly PlatformManifest[],
  creationTimestamp = '2026-03-01T12:00:00Z',
): StoredPlatformObject {
  const { name, spec } = platformRevisionOf(resolvePlatform(manifests));
  // As sent and read: without undefined fields.
  return JSON.parse(
    JSON.stringify({ apiVersion, kind: 'PlatformRevision', metadata: { name, creationTimestamp }, spec }),
  ) as StoredPlatformObject;
}

/** Returns a PlatformRollout as a cluster stores it; its spec may be its revision. */
export const storedRollout = (
  name: string,
  spec: string | object,
  status?: Partial<Status<'PlatformRollout'>>,
): StoredPlatformObject => ({
  apiVersion,
  kind: 'PlatformRollout',
  metadata: { name, creationTimestamp: '2026-03-01T12:00:00Z' },
  spec: typeof spec === 'string' ? { revision: spec, policy: { onFailure: 'Rollback' } } : spec,
  ...(status && { status }),
});

/** Returns a release in the status of a rollout. */
export const released = (workload: string, uid: string, revision: string) => ({
  ...{ workload, uid, revision },
  wave: 'first',
  since: '2026-03-01T12:00:00Z',
});
