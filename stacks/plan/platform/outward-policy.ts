import { type KubernetesObject } from 'pinion';
import { isPlainObject } from 'pinion/api';
import { objectsOf } from './plain-object';
import { type PlatformFacts } from './platform-facts';

/** Whether nobody reaches a workload of the cluster, or is reached by one, without being named. */
export const deniesByDefault = ({ platform: { network } }: Pick<PlatformFacts, 'platform'>): boolean =>
  isPlainObject(network) && network['denyByDefault'] === true;

/** Lets the platform's parts call the API, AWS and every pod, where the Platform denies by default: `access.to` names peers, and theirs are all. */
export const outwardPolicy = (facts: PlatformFacts, namespace: string): KubernetesObject[] =>
  deniesByDefault(facts)
    ? [
        objectsOf(namespace, namespace)('networking.k8s.io/v1', 'NetworkPolicy', 'platform-outward', {
          spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] },
        }),
      ]
    : [];
