/** CEL expression that is true for members of the Platform's administrators; `params` is the Platform. */
export const isAdministrator =
  'has(request.userInfo.groups) && request.userInfo.groups.exists(g, g in params.spec.?administrators.orValue(["system:masters"]))';

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
