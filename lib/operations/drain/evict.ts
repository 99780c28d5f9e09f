import { type KubeClient, isApiError, type LiveObject, objectPath, resourceOf } from '../../kube';

/** A pod that could not be evicted now, and why. */
export interface RefusedEviction {
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
}

/**
 * Asks for evictions, all at once, and gives back those that were refused: a disruption budget stands against them (429),
 * or two do, which Kubernetes never resolves (500). Whoever asks tries again later. Any other failure throws.
 */
export async function evictPods(client: KubeClient, pods: readonly LiveObject[]): Promise<readonly RefusedEviction[]> {
  const answers = await Promise.all(pods.map((pod) => evict(client, pod)));
  return answers.flatMap((refused) => refused ?? []);
}

async function evict(client: KubeClient, { metadata }: LiveObject): Promise<RefusedEviction | undefined> {
  const { namespace = '', name, uid } = metadata;
  const path = objectPath(resourceOf('Pod'), { namespace, name }, 'eviction');
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace, name },
    // A pod that was made anew under the same name, as of a StatefulSet, is another one.
    deleteOptions: { preconditions: { uid } },
  };
  try {
    await client.request('POST', path, eviction, { retries: 0 });
    return undefined;
  } catch (error) {
    if (isApiError(error, 404, 409)) return undefined;
    if (isApiError(error, 429)) return { namespace, name, reason: causesOf(error.facts.causes) ?? error.message };
    if (isApiError(error, 500) && error.message.includes('PodDisruptionBudget'))
      return { namespace, name, reason: error.message };
    throw error;
  }
}

const causesOf = (causes: readonly { readonly message?: string }[] = []): string | undefined =>
  causes.map(({ message }) => message).find((message) => message !== undefined && message !== '');
