import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { type Cluster } from '../control-plane/cluster';
import { waitFor } from '../control-plane/wait-for';

/** Status of one container of a pod. */
export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: object;
  readonly lastState: object;
}

/** Pod fields that tests read. */
export interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

/** Lists the pods with a label `app`. */
export async function podsOf(cluster: Cluster, namespace: string, app: string): Promise<readonly Pod[]> {
  const query = { labelSelector: `app=${app}` };
  const response = await cluster.client.request('GET', `/api/v1/namespaces/${namespace}/pods`, undefined, { query });
  return (expectStatus(response, [200]).body as { items: readonly Pod[] }).items;
}

/** Returns whether the Ready condition of a pod is true. */
export const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

/** Waits until the number of pods is Ready; returns them. */
export const readyPods = (cluster: Cluster, namespace: string, app: string, count: number): Promise<readonly Pod[]> =>
  waitFor(`${count} pods of ${app} to be Ready`, async () => {
    const pods = await podsOf(cluster, namespace, app);
    return pods.length === count && pods.every(isReady) ? pods : undefined;
  });

/** Waits until the only pod matches a predicate; returns it. */
export const onlyPod = (
  cluster: Cluster,
  namespace: string,
  app: string,
  predicate: (pod: Pod) => boolean,
): Promise<Pod> =>
  waitFor(`the pod of ${app}`, async () => {
    const [pod] = await podsOf(cluster, namespace, app);
    return pod && predicate(pod) ? pod : undefined;
  });

/** Returns the status of a container, init container or sidecar of a pod. */
export const container = ({ status }: Pod, name: string): ContainerStatus | undefined =>
  [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].find((each) => each.name === name);

/** Returns a predicate that holds while a container of a pod waits for a reason. */
export const waitsFor =
  (name: string, reason: string) =>
  (pod: Pod): boolean =>
    (container(pod, name)?.state as { waiting?: { reason: string } } | undefined)?.waiting?.reason === reason;

/** Creates an object; throws the message of the server if it is rejected. */
export async function create(cluster: Cluster, object: SendableObject): Promise<void> {
  expectStatus(await cluster.client.create(object), [201]);
}
