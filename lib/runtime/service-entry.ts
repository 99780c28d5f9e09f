/** What is told about a pod, beside where it is reached. */
export interface PodIdentity {
  readonly project: string;
  readonly workload: string;
  readonly kind: string;
  readonly version: string;
  readonly cluster: string;
  readonly region: string;
  readonly node: string;
  readonly pod: string;
  readonly uid: string;
}

/** Where a pod is reached. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Below this node stand the services, each a folder with one member for each pod. */
const servicesFolder = '/pinion/services';

/** The node of a pod: `/pinion/services/<service>/member_<uid>`; the prefix is the one that readers of server sets look for. */
export const memberPath = (root: string, service: string, uid: string): string =>
  `${root}${servicesFolder}/${service}/member_${uid}`;

/** What stands in the node: a member of a server set, as Finagle and its relatives read it, with the pod's identity beside. */
export function memberData({ address, port }: Endpoint, pod: PodIdentity): Buffer {
  const ordinal = pod.kind === 'PinterestStatefulSet' ? /-(\d+)$/.exec(pod.pod)?.[1] : undefined;
  const metadata = Object.fromEntries(Object.entries(pod).filter(([, value]) => value !== ''));
  return Buffer.from(
    JSON.stringify({
      serviceEndpoint: { host: address, port },
      additionalEndpoints: {},
      status: 'ALIVE',
      ...(ordinal !== undefined && { shard: Number(ordinal) }),
      metadata,
    }),
  );
}
