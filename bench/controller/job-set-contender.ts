import { type Resource, resourceOf, type SentObject } from '../../lib/kube';
import { type JobSetController, jobSetControllerUser } from '../../test/control-plane/jobset-controller';
import { type BenchCluster, controllerUser } from './bench-cluster';
import { pinionJobSet, upstreamJobSet } from './job-set-manifests';

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
export const upstreamContender = (controller: JobSetController, shards: number): Contender => ({
  name: 'theirs',
  user: jobSetControllerUser,
  resource: { apiVersion: 'jobset.x-k8s.io/v1alpha2', kind: 'JobSet', plural: 'jobsets', namespaced: true },
  complete: 'Completed',
  start: () => controller.start(),
  document: (namespace, name) => upstreamJobSet(namespace, name, shards),
});
