type Fields = Readonly<Record<string, unknown>>;

/**
 * Fields of `Platform.spec` that change no pod template. All others count as inputs, even if they rarely do: to miss one would block
 * an intended change.
 */
export const otherPlatformFields = [
  'administrators',
  'breakGlass',
  'defaultQuota',
  'defaultApiBudget',
  'boundedReads',
  'systemNamespaces',
  'deploymentKeys',
  'rollouts',
] as const;

/** Fields of `Platform.spec.runtime` that say when workloads change. */
export const rolloutFields = ['profile', 'rollout', 'rolloutDeadline', 'canary', 'expansionRelease'] as const;

/** Fields of `Platform.spec` that state facts of the cluster, which hold for all workloads at once. */
export const clusterFactFields = ['kubernetesVersion', 'gangScheduling'] as const;

/** Returns an object without some of its fields. */
export const withoutFields = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Returns some fields of an object. */
export const onlyFields = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
