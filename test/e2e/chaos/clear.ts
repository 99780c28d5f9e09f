import { type LiveObject } from '../../../lib/kube';
import { type PinionCluster } from '../pinion-suite';
import { check } from './check';
import { persist } from './persist';
import { settled } from './settled';
import { look, ownerOf, type Sight } from './sight';
import { type User } from './user';

/** Deletes all workloads, after which nothing of them is left. */
export async function clear(
  { cluster }: PinionCluster,
  user: User,
  namespaces: readonly string[],
  note: (line: string) => void,
): Promise<void> {
  for (const { said } of [...user.stories.values()]) await user.remove(said);
  const seen = () => look(cluster.client, namespaces);
  const left = async (): Promise<string[]> => {
    const sight = await seen();
    return [...check(sight, user), ...sight.pods.map((pod) => leftPod(pod, sight))];
  };
  try {
    await settled('after the end', left, 30_000);
  } catch {
    if (overlooked(await seen()).length > 0) {
      note('the collector of garbage has overlooked the end of an owner: it starts anew');
      await cluster.part('kube-controller-manager').kill();
      await cluster.part('kube-controller-manager').restart();
    }
    await settled('after the end', left);
  }
  const claims = namespaces.map((namespace) => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`);
  for (const path of claims) await persist(path, () => cluster.client.request('DELETE', path));
}

/**
 * Pods and their histories whose owner is gone. One that was deleted and made anew under its name while the collector of
 * garbage had lost its watch is a change of one object to it: what the first one owned it collects only once it starts anew.
 */
const overlooked = (sight: Sight): readonly LiveObject[] =>
  [...sight.pods, ...sight.histories].filter((object) => ownerOf(object) && !isOwnerThere(object, sight));

const isOwnerThere = (object: LiveObject, { histories, children }: Sight): boolean =>
  [...histories, ...children].some(({ metadata }) => metadata.uid === ownerOf(object)?.uid);

/** What keeps a pod that should be gone: whether it is being deleted, what holds it, and whether its owner is there. */
function leftPod(pod: LiveObject, sight: Sight): string {
  const { name, deletionTimestamp, finalizers, ownerReferences } = pod.metadata;
  const { phase } = pod['status'] as { readonly phase?: string };
  const told = { phase, deletionTimestamp, finalizers, ownerReferences, isOwnerThere: isOwnerThere(pod, sight) };
  return `Pod ${name} is left: ${JSON.stringify(told)}`;
}
