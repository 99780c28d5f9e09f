/** Identity of a pod, for its entry's metadata. */
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

/** Endpoint of a pod. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Parent of the services, each of which has one member per pod. */
const servicesFolder = '/pinion/services';

/** Returns the node of a pod: `/pinion/services/<service>/member_<uid>`, with the prefix that readers of server sets expect. */
export const memberPath = (root: string, service: string, uid: string): string =>
  `${root}${servicesFolder}/${service}/member_${uid}`;

/** Returns the data of a pod's node: a server set member as Finagle reads it, with the pod's identity as metadata. */
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
