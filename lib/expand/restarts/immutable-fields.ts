const fieldsByKind: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['selector'],
  DaemonSet: ['selector'],
  StatefulSet: ['selector', 'serviceName', 'podManagementPolicy', 'volumeClaimTemplates'],
  Job: [
    'completions',
    'completionMode',
    'selector',
    'template',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'successPolicy',
    'managedBy',
  ],
};

/** Returns the fields of the spec that the API server does not change, for an object with pods. */
export const immutableFieldsOf = (kind: string): readonly string[] => fieldsByKind[kind] ?? [];
