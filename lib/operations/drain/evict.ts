import { type KubeClient, isApiError, type LiveObject, objectPath, resourceOf } from '../../kube';

/** A pod whose eviction was rejected for now. */
export interface RejectedEviction {
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
}

/**
 * Evicts pods in parallel, and returns the evictions that were rejected: a disruption budget allows none (429), or several
 * budgets select the pod (500). The caller retries them. Any other failure throws.
 */
export async function evictPods(client: KubeClient, pods: readonly LiveObject[]): Promise<readonly RejectedEviction[]> {
  const results = await Promise.all(pods.map((pod) => evict(client, pod)));
  return results.flatMap((rejected) => rejected ?? []);
}

async function evict(client: KubeClient, { metadata }: LiveObject): Promise<RejectedEviction | undefined> {
  const { namespace = '', name, uid } = metadata;
  const path = objectPath(resourceOf('Pod'), { namespace, name }, 'eviction');
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace, name },
    // A pod that was recreated under the same name, as by a StatefulSet, must not be evicted.
    deleteOptions: { preconditions: { uid } },
  };
  try {
    await client.request('POST', path, eviction, { retries: 0 });
    return undefined;
  } catch (error) {
    if (isApiError(error, 404, 409)) return undefined;
    if (isApiError(error, 429)) return { namespace, name, reason: causesOf(error.details.causes) ?? error.message };
    if (isApiError(error, 500) && error.message.includes('PodDisruptionBudget'))
      return { namespace, name, reason: error.message };
    throw error;
  }
}

const causesOf = (causes: readonly { readonly message?: string }[] = []): string | undefined =>
  causes.map(({ message }) => message).find((message) => message !== undefined && message !== '');
