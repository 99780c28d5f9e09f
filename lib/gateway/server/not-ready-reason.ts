import { type RbacMirror } from '../authorization/rbac-mirror';
import { type ObjectCache } from '../cache/object-cache';
import { maxAge } from '../max-age';

/**
 * Returns why a gateway should get no requests: a cache to which the API server has said nothing for too long, or roles
 * without which no cache answers. Other gateways may have fresh ones. A resource that the API server no longer serves does
 * not count: it says so itself.
 */
export function notReadyReason(
  caches: ReadonlyMap<string, ObjectCache>,
  rbac: Pick<RbacMirror, 'isRecent'>,
  now: number,
): string | undefined {
  const old = [...caches]
    .filter(([, cache]) => cache.version !== undefined && cache.ageAt(now) > maxAge)
    .map(([name, cache]) => `${name} (${Math.round(cache.ageAt(now) / 1_000)} s)`)
    .concat(rbac.isRecent() ? [] : ['roles and bindings']);
  return old.length === 0 ? undefined : `the API server has said nothing for too long about ${old.join(', ')}`;
}
