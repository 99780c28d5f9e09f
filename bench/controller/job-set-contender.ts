import { type Resource, resourceOf, type SentObject } from '../../lib/kube';
import { type BenchCluster, controllerUser } from './bench-cluster';
import { pinionJobSet, upstreamJobSet } from './job-set-manifests';
import { type JobSetPeer, peerUser } from './job-set-peer';

/** One of the two compared controllers. */
export interface Contender {
  readonly name: 'ours' | 'theirs';
  readonly user: string;
  readonly resource: Resource;
  /** Condition type of a succeeded JobSet. */
  readonly complete: string;
  start(): Promise<() => Promise<void>>;
  document(namespace: string, name: string): SentObject;
}

/** The packaged pinion controller. */
export const pinionContender = (bench: BenchCluster, shards: number): Contender => ({
  name: 'ours',
  user: controllerUser,
  resource: resourceOf('PinterestJobSet'),
  complete: 'Complete',
  start: async () => {
    const controller = bench.startController();
    await controller.leads();
    return async () => void (await controller.stop());
  },
  document: (namespace, name) => pinionJobSet(namespace, name, shards) as object as SentObject,
});

/** The JobSet controller. */
export const upstreamContender = (peer: JobSetPeer, shards: number): Contender => ({
  name: 'theirs',
  user: peerUser,
  resource: { apiVersion: 'jobset.x-k8s.io/v1alpha2', kind: 'JobSet', plural: 'jobsets', namespaced: true },
  complete: 'Completed',
  start: () => peer.start(),
  document: (namespace, name) => upstreamJobSet(namespace, name, shards),
});
