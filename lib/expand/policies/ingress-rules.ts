import {
  apiVersion,
  isUnsafeAnnotation,
  metadataKeys,
  group,
  manager,
  recommended,
  unsafeAnnotationPattern,
  type PlatformManifest,
} from '../../api';
import { hostForm } from '../platform/host-names';
import { listVariables } from './rule-facts';

/** CEL variable of rules for Ingresses. */
interface RuleVariable {
  readonly name: string;
  readonly expression: string;
}

/** Rule that every Ingress in a project must satisfy. */
export interface IngressRule {
  readonly name: string;
  /** CEL expression over `object`, `params` (the Platform), `namespaceObject` and the variables. */
  readonly cel: string;
  readonly reason: string;
  readonly remedy: string;
  /** CEL expression of the values that violate the rule, as a list. */
  readonly values?: string;
  /** Whether it applies only if the Project is known. @default false */
  readonly needsProject?: boolean;
}

/** Returns the CEL condition that a host name belongs to the project whose host names are `variables.hosts`. */
export const isOwnHost = (name: string): string =>
  `(${name}.matches("${hostForm.spelling.source}") && (${name}.startsWith("*.") ` +
  // A pattern would also receive the requests for the names that another project has.
  `? ${name} in variables.hosts && !variables.hosts.exists(e, e.startsWith("!") && e.substring(e.indexOf(".")) == ${name}.substring(1)) ` +
  `: ${name} in variables.hosts || ${name}.indexOf(".") > 0 && ("*" + ${name}.substring(${name}.indexOf("."))) in variables.hosts && !(("!" + ${name}) in variables.hosts)))`;

/**
 * Returns the CEL condition that the Platform allows projects to set an annotation of Ingresses. Ingress controllers
 * read no keys without a domain.
 */
export const isAllowedAnnotation = (key: string): string =>
  `(!${key}.contains("/") || !${key}.lowerAscii().matches("${unsafeAnnotationPattern}") && params.spec.ingress.allowedAnnotations.exists(a, a == ${key} || a.endsWith("*") && ${key}.startsWith(a.substring(0, size(a) - 1))))`;

/** Returns whether a Platform allows projects to set an annotation of Ingresses, like `isAllowedAnnotation`. */
export const allowsAnnotation = ({ spec }: PlatformManifest<'Platform'>, key: string): boolean =>
  !key.includes('/') ||
  (!isUnsafeAnnotation(key) &&
    spec.ingress.allowedAnnotations.some((allowed) =>
      allowed.endsWith('*') ? key.startsWith(allowed.slice(0, -1)) : key === allowed,
    ));

/** Returns whether an annotation has no effect on routing: those of pinion. */
export const isHarmlessKey = (key: string): boolean =>
  key.startsWith(`${group}/`) || key.startsWith(`${metadataKeys.link}/`);

const nginx = 'nginx.ingress.kubernetes.io';

/** Annotations that every Ingress may have, because pinion sets them or because they have no effect on routing. */
const isPlatformAnnotation = [
  `k.startsWith("${group}/") || k.startsWith("${metadataKeys.link}/") || k == "kubectl.kubernetes.io/last-applied-configuration"`,
  `k == "${nginx}/backend-protocol" && variables.annotations[k] in ["HTTPS", "GRPC"]`,
  `k in ["${nginx}/proxy-read-timeout", "${nginx}/proxy-send-timeout"] && variables.annotations[k].matches("^[0-9]{1,9}$")`,
  `k == "${nginx}/affinity" && variables.annotations[k] == "cookie"`,
  'k == "cert-manager.io/cluster-issuer" && variables.exposures.exists(e, has(e.clusterIssuer) && e.clusterIssuer == variables.annotations[k])',
  'variables.exposures.exists(e, has(e.annotations) && k in e.annotations && e.annotations[k] == variables.annotations[k])',
].join(' || ');

/** CEL variables of the rules. */
export const ingressVariables: readonly RuleVariable[] = [
  ...listVariables(),
  {
    name: 'exposures',
    expression:
      '(has(params.spec.ingress.internal) ? [params.spec.ingress.internal] : []) + (has(params.spec.ingress.external) ? [params.spec.ingress.external] : [])',
  },
  {
    name: 'annotations',
    expression: 'has(object.metadata.annotations) ? object.metadata.annotations : {}',
  },
  {
    name: 'foreignAnnotations',
    expression: `variables.annotations.filter(k, !(${isPlatformAnnotation} || ${isAllowedAnnotation('k')}))`,
  },
  {
    name: 'foreignHosts',
    expression: `(has(object.spec.rules) ? object.spec.rules.filter(r, has(r.host)).map(r, r.host) : []).filter(h, !${isOwnHost('h')})`,
  },
  {
    name: 'foreignTlsHosts',
    expression: `(has(object.spec.tls) ? object.spec.tls.filter(t, has(t.hosts)) : []).map(t, t.hosts.filter(h, !${isOwnHost('h')}).join(", ")).filter(t, t != "")`,
  },
];

/** Remedy for an annotation of an Ingress that the Platform does not allow. */
export const allowAnnotation =
  'remove it, or ask the platform team to add it to spec.ingress.allowedAnnotations of the Platform; snippets, aliases, host names and classes can never be allowed: use spec.loadBalancer.hosts and exposure instead';

const ownHosts = `use the host names of the project, or ask the platform team to add them to spec.hosts of the Project`;

/** Rules for every Ingress in a project. */
export const ingressRules: readonly IngressRule[] = [
  {
    name: 'ingress-host-set',
    cel: '!has(object.spec.rules) || object.spec.rules.all(r, has(r.host) && r.host != "")',
    reason: 'spec.rules: has a rule without a host, which would receive requests for the names of other projects',
    remedy: 'set the host of every rule',
  },
  {
    name: 'ingress-default-backend',
    cel: '!has(object.spec.defaultBackend)',
    reason: 'spec.defaultBackend: would receive requests for the names of other projects',
    remedy: 'use rules with hosts',
  },
  {
    name: 'ingress-hosts-owned',
    cel: 'size(variables.foreignHosts) == 0',
    values: 'variables.foreignHosts',
    reason: 'spec.rules: has a host name that does not belong to the project',
    remedy: ownHosts,
    needsProject: true,
  },
  {
    name: 'ingress-tls-host-set',
    cel: '!has(object.spec.tls) || object.spec.tls.all(t, has(t.hosts) && size(t.hosts) > 0)',
    reason: 'spec.tls: has an entry without hosts, which would apply to the names of other projects',
    remedy: 'set hosts in every entry',
  },
  {
    name: 'ingress-tls-hosts-owned',
    cel: 'size(variables.foreignTlsHosts) == 0',
    values: 'variables.foreignTlsHosts',
    reason: 'spec.tls: has a host name that does not belong to the project',
    remedy: ownHosts,
    needsProject: true,
  },
  {
    name: 'ingress-class-offered',
    cel: 'has(object.spec.ingressClassName) && variables.exposures.exists(e, e.ingressClassName == object.spec.ingressClassName)',
    reason: 'spec.ingressClassName: is not an ingress class of this Platform',
    remedy: 'use a class of its spec.ingress',
  },
  {
    name: 'ingress-annotations-allowed',
    cel: 'size(variables.foreignAnnotations) == 0',
    values: 'variables.foreignAnnotations',
    reason: 'metadata.annotations: has an annotation that this Platform does not allow projects to set',
    remedy: allowAnnotation,
  },
];

/** Selects the namespaces of Projects, and that of the controller. */
export const managedNamespaces = { matchLabels: { [recommended.managedBy]: manager } } as const;

/** Selects the namespaces of Projects. */
export const projectNamespaces = {
  ...managedNamespaces,
  matchExpressions: [{ key: metadataKeys.team, operator: 'Exists' }],
} as const;

/** Parameter of policies that read the Platform. */
export const platformParams = {
  paramKind: { apiVersion, kind: 'Platform' },
  paramRef: { name: 'cluster', parameterNotFoundAction: 'Deny' },
} as const;
