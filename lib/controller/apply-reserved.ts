import { type KubernetesObject } from '../expand';
import { isApiError, type LiveObject } from '../client';
import { type ClusterWriter } from './cluster-writer';
import { type Child } from './observed/child';
import { childOf } from './observed/child-of';

/**
 * Applies an object with a reserved name, whatever another client has stored under it: its fields are taken over, and one
 * that cannot be changed is replaced.
 */
export async function applyReserved(object: KubernetesObject, writer: ClusterWriter): Promise<Child | undefined> {
  try {
    return await writer.apply(object, { force: true });
  } catch (error) {
    if (!isApiError(error, 422)) throw error;
    const { kind, metadata } = object;
    const live = await writer.read(kind, metadata.namespace ?? '', metadata.name);
    if (!live || !prevents(live, object)) throw error;
    await writer.remove(childOf(live), 'Background');
    return writer.apply(object, { force: true });
  }
}

/** Returns whether an object cannot become another one: it is immutable, or has another owner, of which there is only one. */
function prevents(live: LiveObject, { metadata }: KubernetesObject): boolean {
  const ownUids = new Set((metadata.ownerReferences ?? []).map(({ uid }) => uid));
  const hasOtherOwner = live.metadata.ownerReferences?.some(
    ({ controller, uid }) => controller === true && !ownUids.has(uid),
  );
  return live['immutable'] === true || hasOtherOwner === true;
}
