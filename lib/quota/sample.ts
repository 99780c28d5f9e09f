import { addAmounts, type ResourceList, amountsOf, type PodSpec, valueAt } from '../api';
import { claimAmounts, podAmounts } from '../expand';
import { isApiError, type KubeClient, listAllPages } from '../kube';
import { type QuotaInForce } from './quotas-in-force';
import { type DayUsage } from './usage';

const fromPods = ['pods', 'requests.cpu', 'requests.memory', 'limits.memory'];
const fromClaims = ['persistentvolumeclaims', 'requests.storage'];

/**
 * Samples what a project requests. It uses the API server's own count if a ResourceQuota has it; other resources, as in a
 * project whose quota does not exist yet, are counted from its pods and claims.
 */
export async function sampleOf(
  client: KubeClient,
  namespace: string,
  quota: QuotaInForce | undefined,
  day: number,
  consumption: Consumption,
): Promise<DayUsage> {
  const used = quota?.used ?? {};
  const lacks = (resources: readonly string[]): boolean => resources.some((resource) => !used[resource]);
  const pods = lacks(fromPods) ? await podsOf(client, namespace) : {};
  const claims = lacks(fromClaims) ? await claimsOf(client, namespace) : {};
  return { day, peaks: { ...pods, ...claims, ...used }, consumed: await consumption.of(client, namespace) };
}

const zeroes = (resources: readonly string[]): ResourceList =>
  amountsOf(Object.fromEntries(resources.map((one) => [one, 0])));

/** Finished pods do not count, as in Kubernetes' own count. */
async function podsOf(client: KubeClient, namespace: string): Promise<ResourceList> {
  const pods = await listAllPages(client, 'Pod', {
    namespace,
    fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed',
  });
  return pods.map((pod) => podAmounts(pod['spec'] as PodSpec, 1)).reduce(addAmounts, zeroes(fromPods));
}

async function claimsOf(client: KubeClient, namespace: string): Promise<ResourceList> {
  const claims = await listAllPages(client, 'PersistentVolumeClaim', { namespace });
  return claims.map((claim) => claimAmounts(claim['spec'])).reduce(addAmounts, zeroes(fromClaims));
}

/** Consumption of containers from a metrics server, if there is one; not queried again after it was found to be absent. */
export class Consumption {
  private isAvailable = true;

  async of(client: KubeClient, namespace: string): Promise<ResourceList> {
    if (!this.isAvailable) return {};
    try {
      const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${encodeURIComponent(namespace)}/pods`;
      const response = await client.request('GET', path);
      const pods = (valueAt(response, ['items']) ?? []) as readonly { readonly containers?: readonly object[] }[];
      return pods
        .flatMap(({ containers = [] }) => containers.map((container) => amountsOf(valueAt(container, ['usage']))))
        .reduce(addAmounts, {});
    } catch (error) {
      if (!isApiError(error, 403, 404, 503)) throw error;
      this.isAvailable = false;
      return {};
    }
  }
}
