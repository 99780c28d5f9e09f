import { isUnsafeAnnotation, unsafeAnnotationAdvice, type Spec, type WorkloadKindWith } from '../../api';
import { ownsHost } from '../platform/host-names';
import { allowAnnotation, allowsAnnotation, isAllowedAnnotation, isOwnHost } from './ingress-rules';
import { type PlatformRule } from './platform-rule';
import { type RulePath } from './rule-paths';

type Rule = PlatformRule<Spec<WorkloadKindWith<'serves', true>>>;

/** Rule that the host names of a load balancer belong to the project. */
const hostsOwned: Rule = {
  name: 'hosts-owned',
  field: ['loadBalancer', 'hosts'],
  cel: `object.spec.loadBalancer.hosts.all(h, ${isOwnHost('h')})`,
  needsProject: true,
  code: 'not-available',
  reason: 'has a name that does not belong to this project',
  remedy: 'use a generated name, or ask the platform team to add it to spec.hosts of the Project',
  paths: ({ loadBalancer }, { hosts }) =>
    (loadBalancer?.hosts ?? []).flatMap((value, index) =>
      ownsHost(hosts, value)
        ? []
        : [{ path: ['loadBalancer', 'hosts', index], value, reason: 'does not belong to this project' }],
    ),
};

/** Rule that the Platform allows the annotations of a load balancer. */
const annotationsAllowed: Rule = {
  name: 'load-balancer-annotations-allowed',
  field: ['loadBalancer', 'annotations'],
  cel: `object.spec.loadBalancer.annotations.all(k, ${isAllowedAnnotation('k')})`,
  code: 'not-available',
  reason: 'has an annotation that this Platform does not allow',
  remedy: allowAnnotation,
  paths: ({ loadBalancer }, { platform }) =>
    Object.keys(loadBalancer?.annotations ?? {})
      .filter((key) => !allowsAnnotation(platform, key))
      .map((key) => ({ path: ['loadBalancer', 'annotations', key], ...annotationAdvice(key) })),
};

function annotationAdvice(key: string): Pick<RulePath, 'reason' | 'remedy'> {
  if (!isUnsafeAnnotation(key))
    return {
      reason: 'is not allowed by this Platform',
      remedy: 'remove it, or ask the platform team to add it to spec.ingress.allowedAnnotations of the Platform',
    };
  const { reason, workload: remedy } = unsafeAnnotationAdvice(key);
  return { reason, remedy };
}

/** Rules for the host names and annotations of a load balancer. */
export const hostRules: readonly Rule[] = [hostsOwned, annotationsAllowed];
