/** Rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Names of the resources. Defaults to all. */
  readonly resourceNames?: readonly string[];
}

/** Creates a rule for resources of one API group. */
export const policyRule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});
