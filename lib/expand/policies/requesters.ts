import { metadataKeys } from '../../api';
import { namespaceAnnotation } from './rule-facts';

/** CEL expression that is true for members of the Platform's administrators; `params` is the Platform. */
export const isAdministrator =
  'has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in params.spec.?administrators.orValue(["system:masters"]))';

/**
 * The same by the Namespace of a project, for policies that Kubernetes' own controllers depend on: one with parameters
 * refuses every request until the API server knows these, for up to a minute after each of its restarts.
 */
export const isAdministratorOfNamespace = `has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in ${namespaceAnnotation(metadataKeys.administrators)}.orValue("system:masters").split(" "))`;

/** CEL expression that is true for members of `system:masters`, who may remove any policy. */
export const isSuperuser = 'has(request.userInfo.groups) && "system:masters" in request.userInfo.groups';

/** Returns a CEL expression that is true for requests of one of the users. */
export const isUser = (...users: readonly string[]): string => `request.userInfo.username in ${JSON.stringify(users)}`;

/** Returns the user names of controllers of kube-controller-manager, which may share one user. */
export const kubeControllers = (...names: readonly string[]): readonly string[] => [
  'system:kube-controller-manager',
  ...names.map((name) => `system:serviceaccount:kube-system:${name}`),
];

/** CEL expression that is true for the deployer of the project that a request writes to. */
export const isDeployer = 'request.userInfo.username == "system:serviceaccount:" + request.namespace + ":deployer"';
