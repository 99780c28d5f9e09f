import { apiVersion, manager, metadataKeys, recommended } from '../../../api';
import { isAdministrator } from '../requesters';

/** The Platform as parameter of a policy; without it, the policy applies to nothing. */
export const platformParameter = {
  paramKind: { apiVersion, kind: 'Platform' },
  paramRef: { name: 'cluster', parameterNotFoundAction: 'Allow' },
} as const;

/**
 * Selects the namespaces of projects, which have a team, but not those of infrastructure projects. CNI, DNS, drivers,
 * pinion's installation and the gateway itself are in others: a cluster works without any gateway.
 */
export const governedNamespaces = {
  matchLabels: { [recommended.managedBy]: manager },
  matchExpressions: [
    { key: metadataKeys.team, operator: 'Exists' },
    { key: metadataKeys.infrastructure, operator: 'NotIn', values: ['true'] },
  ],
} as const;

/**
 * Selects those of them in which the gateway is enforced, or also observed. A Namespace without the label is selected: what
 * the API server refuses until it knows the Platform must not depend on whether a controller has written the label.
 */
export const gatewayNamespaces = (withObserved: boolean) => ({
  ...governedNamespaces,
  matchExpressions: [
    ...governedNamespaces.matchExpressions,
    { key: metadataKeys.gateway, operator: 'NotIn', values: withObserved ? ['Off'] : ['Off', 'Observe'] } as const,
  ],
});

const stage = 'params.spec.?gateway.?stage.orValue("Off")';
const isEnforcing = `${stage} == "Enforce" && params.?status.?gateway.?enforced.orValue(false)`;

/** Conditions under which the Platform leads new pods to the gateway. */
export const leadsToGateway = [
  { name: 'stage', expression: `${stage} != "Off"` },
  { name: 'project', expression: '!(request.namespace in params.spec.gateway.directProjects)' },
] as const;

/**
 * Conditions under which direct access is refused, or only reported. The platform controller confirms that the Platform
 * enforces, once no pod is left that the refusal would hit when it is replaced.
 */
export const refusesDirectAccess = (isReport: boolean) => [
  { name: 'stage', expression: isReport ? `${stage} != "Off" && !(${isEnforcing})` : isEnforcing },
  { name: 'project', expression: '!(request.namespace in params.spec.gateway.directProjects)' },
];

const groups = 'request.userInfo.?groups.orValue([])';

/**
 * Condition that excludes administrators and those who may bypass proofs in an emergency, so that they can repair a
 * cluster whose gateways have failed.
 */
export const exceptRepair = {
  name: 'repair',
  expression: `!(${isAdministrator}) && !${groups}.exists(g, g in params.spec.?breakGlass.orValue([]))`,
};

/** Condition that excludes kubelets: they request only the tokens of pods on their node, which policies have admitted. */
export const exceptKubelets = { name: 'kubelet', expression: `!("system:nodes" in ${groups})` };
