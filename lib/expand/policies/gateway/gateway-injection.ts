import { gatewayAudience, gatewayAuthority, group, type Spec } from '../../../api';
import { installationLabels } from '../../install/installation-labels';
import { type KubernetesObject } from '../../objects/kubernetes-object';
import { leadsToGateway, platformParameter, governedNamespaces } from './gateway-scope';

/** Name of the policy that leads native pods to the gateway. */
export const gatewayInjectionName = `gateway-injection.${group}`;

const volumes = 'object.spec.?volumes.orValue([])';
const isToken = 'v.name.startsWith("kube-api-access-")';

/** In 1.35, mutating policies are beta, and an API server serves them only if its flags enable them. */
const mutatingVersions = { '1.35': 'v1beta1', '1.36': 'v1' } as const satisfies Record<
  Spec<'Platform'>['kubernetesVersion'],
  string
>;

/** Returns the resource and the name of the policy that leads native pods to the gateway. */
export const gatewayInjectionKind = (kubernetesVersion: Spec<'Platform'>['kubernetesVersion']) => ({
  apiVersion: `admissionregistration.k8s.io/${mutatingVersions[kubernetesVersion]}`,
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  name: gatewayInjectionName,
});

/** CEL expressions of the position of the volume with the token, and of the two sources in it that change. */
const positions = {
  volume: `${volumes}.map(v, ${isToken}).indexOf(true)`,
  token: 'object.spec.volumes[variables.volume].projected.sources.map(s, has(s.serviceAccountToken)).indexOf(true)',
  authority: 'object.spec.volumes[variables.volume].projected.sources.map(s, has(s.configMap)).indexOf(true)',
};
/** A list of sources is atomic, so that only a patch can change a part of it. */
const patches = [
  { op: 'add', source: 'token', field: 'serviceAccountToken/audience', value: gatewayAudience },
  { op: 'replace', source: 'authority', field: 'configMap/name', value: gatewayAuthority },
].map(
  ({ op, source, field, value }) =>
    `JSONPatch{op: "${op}", path: "/spec/volumes/" + string(variables.volume) + "/projected/sources/" + string(variables.${source}) + "/${field}", value: "${value}"}`,
);

/** Returns the CEL expression of the variables of each container in a list that has none of its own. */
const withAddress = (field: 'containers' | 'initContainers'): string => {
  const type = `Object.spec.${field}`;
  const variable = (name: string, value: string) => `${type}.env{name: "${name}", value: ${value}}`;
  const added = [
    variable('KUBERNETES_SERVICE_HOST', 'params.spec.gateway.address'),
    variable('KUBERNETES_SERVICE_PORT', 'string(params.spec.gateway.port)'),
  ];
  const own =
    'object.spec.?' +
    field +
    '.orValue([]).filter(c, !c.?env.orValue([]).exists(e, e.name == "KUBERNETES_SERVICE_HOST" || e.name == "KUBERNETES_SERVICE_PORT"))';
  return `${own}.map(c, ${type}{name: c.name, env: [${added.join(', ')}]})`;
};

/**
 * Creates the policy that gives native pods a token for the gateway in place of that for the API server, with its
 * authority and address, and its binding.
 *
 * A failure admits the pod as it is: a pod with a token for the API server is refused by another policy, where that is
 * enforced, and a fault of this one prevents no pod otherwise.
 */
export function gatewayInjection({
  kubernetesVersion,
}: Pick<Spec<'Platform'>, 'kubernetesVersion'>): KubernetesObject[] {
  const name = gatewayInjectionName;
  const { paramKind, paramRef } = platformParameter;
  const spec = {
    failurePolicy: 'Ignore',
    reinvocationPolicy: 'IfNeeded',
    paramKind,
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: governedNamespaces,
      objectSelector: {},
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: '*' },
      ],
    },
    matchConditions: [...leadsToGateway, { name: 'token', expression: `${volumes}.exists(v, ${isToken})` }],
    variables: Object.entries(positions).map(([variable, expression]) => ({ name: variable, expression })),
    mutations: [
      { patchType: 'JSONPatch', jsonPatch: { expression: `[${patches.join(', ')}]` } },
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: {
          expression: `Object{spec: Object.spec{containers: ${withAddress('containers')}, initContainers: ${withAddress('initContainers')}}}`,
        },
      },
    ],
  };
  const binding = { policyName: name, paramRef };
  const { apiVersion, kind } = gatewayInjectionKind(kubernetesVersion);
  const labels = installationLabels;
  return [
    { apiVersion, kind, metadata: { name, labels }, spec },
    { apiVersion, kind: `${kind}Binding`, metadata: { name, labels }, spec: binding },
  ];
}
