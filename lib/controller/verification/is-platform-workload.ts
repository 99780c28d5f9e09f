import { isDeepStrictEqual } from 'node:util';
import { parseManifest, type ManifestInput } from '../../api';
import { nodeSupport } from '../../expand';
import { type LiveObject } from '../../client';
import { parseStoredManifest } from '../parse-stored-manifest';
import { type PlatformCache } from '../platform-cache';

/** Returns whether a workload is one that the Platform creates for itself, unchanged: such a one has no deployment. */
export function isPlatformWorkload(live: LiveObject, platformCache: PlatformCache): boolean {
  const { runtime } = platformCache.platform?.spec ?? {};
  const { name, namespace } = live.metadata;
  if (!runtime || runtime.project !== namespace) return false;
  const result = platformCache.cluster(runtime.profile);
  const own =
    'cluster' in result
      ? nodeSupport(result.cluster).find(({ kind, metadata }) => kind === live.kind && metadata.name === name)
      : undefined;
  const spec = own && parseManifest(own as ManifestInput).spec;
  return spec !== undefined && isDeepStrictEqual(spec, parseStoredManifest(live).manifest?.spec);
}
