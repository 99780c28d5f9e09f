import { type Spec, type WorkloadKindWith } from '../../api';
import { type PlatformRule } from './platform-rule';

/** Rule that the Platform has an ingress for the exposure of a load balancer. */
export const exposureRule: PlatformRule<Spec<WorkloadKindWith<'serves', true>>> = {
  name: 'exposure-offered',
  field: ['loadBalancer', 'exposure'],
  cel: 'object.spec.loadBalancer.exposure == "Cluster" || !(has(object.spec.loadBalancer.ports) ? object.spec.loadBalancer.ports.exists(p, !(p.protocol in ["TCP", "UDP"])) : !(object.spec.loadBalancer.protocol in ["TCP", "UDP"])) || (object.spec.loadBalancer.exposure == "Internal" ? has(params.spec.ingress.internal) : has(params.spec.ingress.external))',
  code: 'not-available',
  reason: 'is not an exposure that this Platform supports',
  remedy: 'use an exposure in its spec.ingress, or Cluster',
  paths: ({ loadBalancer }, { platform }) => {
    const { internal, external } = platform.spec.ingress;
    const offered = ['Cluster', ...(internal ? ['Internal'] : []), ...(external ? ['External'] : [])];
    return [{ path: ['loadBalancer', 'exposure'], value: loadBalancer?.exposure, offered }];
  },
};
