/** Changes of our definitions since the previous ones, which were reviewed: reason, and `change path` of each. */
type Acknowledged = readonly { readonly reason: string; readonly changes: readonly string[] }[];

const podFields = [
  ...['hostIPC', 'hostNetwork', 'hostPID', 'priorityClassName', 'restartPolicy', 'schedulerName'],
  ...['serviceAccount', 'serviceAccountName', 'terminationGracePeriodSeconds'],
].map((field) => `spec.template.spec.${field}`);

const ephemeral = 'spec.template.spec.volumes[].ephemeral.volumeClaimTemplate.metadata';

const labelRules = [
  ...['spec.annotations', 'spec.labels', 'spec.autoscaling.custom[].selector', 'spec.loadBalancer.annotations'],
  ...['spec.ingress.external.annotations', 'spec.ingress.internal.annotations', 'spec.pools[].nodeSelector'],
].map((path) => `rule-changed ${path}`);

/** Changes of an upgrade. */
export const acknowledgedUpgrade: Acknowledged = [
  {
    reason:
      'an empty list or false is what objects without the field had; the changelog says what to set before the upgrade',
    changes: [
      ...[
        'administrators',
        'boundedReads',
        'breakGlass',
        'defaultApiBudget',
        'deploymentKeys',
        'exec',
        'hosts',
        'iamRoles',
      ],
      ...['ingress.allowedAnnotations', 'patchExceptions', 'tiers'],
    ].map((field) => `default-added spec.${field}`),
  },
  { reason: 'the default of the object has the defaults of its new fields', changes: ['default-changed spec.ingress'] },
  {
    reason: 'true and false stay valid beside the new names',
    changes: ['type-widened spec.apiAccess', 'enum-tightened spec.apiAccess', 'unknown-fields-kept spec.apiAccess'],
  },
  { reason: 'names of new objects only', changes: ['rule-added', 'rule-changed'] },
  {
    reason: 'the expression lists the roles; of the former ones it allows the same',
    changes: ['rule-changed spec'],
  },
  {
    reason: 'the API server or the controller rejected the workload because of the native object with such a value',
    changes: [
      ...labelRules,
      'pattern-changed spec.autoscaling.custom[].metric',
      'enum-tightened spec.patches[].kind',
      'enum-tightened spec.podFailurePolicy.rules[].onPodConditions[].status',
      ...['maxLength-tightened', 'pattern-tightened'].map(
        (change) => `${change} spec.podFailurePolicy.rules[].onPodConditions[].type`,
      ),
      `maxLength-tightened ${ephemeral}.annotations.*`,
      ...['annotations', 'labels'].map((field) => `maxProperties-tightened ${ephemeral}.${field}`),
      ...['spec', 'spec.loadBalancer'].map((path) => `rule-added ${path}`),
    ],
  },
  {
    reason:
      'a security fix: a protected stage names its clusters and the claims of its publishers; the changelog says how to prepare',
    changes: ['rule-added spec.stages[]', 'rule-added spec.stages[].publishers[]'],
  },
];

/** Changes of a downgrade. */
export const acknowledgedDowngrade: Acknowledged = [
  {
    reason: 'new since the previous version, which cannot keep what it does not know',
    changes: [
      ...[
        'administrators',
        'apiBudget',
        'beforeDeployment',
        'boundedReads',
        'breakGlass',
        'defaultApiBudget',
        'deploymentKeys',
      ],
      ...['exec', 'gateway', 'hosts', 'iamRoles', 'ingress.allowedAnnotations', 'patchExceptions', 'tiers', 'variants'],
      ...[
        'rollouts',
        'runtime.expansionEpoch',
        'runtime.expansionRelease',
        'stages[].clusters',
        'stages[].promotion',
        'stages[].publishers[].claims',
        'template.metadata.creationTimestamp',
      ],
    ].map((field) => `field-removed spec.${field}`),
  },
  {
    reason: 'what kubectl writes into a template, equal to what the platform sets',
    changes: [...podFields.map((path) => `field-removed ${path}`), `field-removed ${ephemeral}.creationTimestamp`],
  },
  {
    reason: 'the controller writes it again',
    changes: [
      ...['beforeDeployment', 'cause', 'children', 'deployedSpecHash', 'expansion', 'gateway', 'variants'],
      ...['platformRevision', 'projectRevision', 'revisions'],
      ...['runtime.expansionRelease', 'runtime.previousProfiles', 'runtime.settings', 'runtime.withdrawnProfiles'],
    ].map((field) => `field-removed status.${field}`),
  },
  {
    reason: 'only objects that use the new names and roles are affected',
    changes: [
      'type-changed spec.apiAccess',
      'unknown-fields-pruned spec.apiAccess',
      'enum-tightened spec.members[].role',
    ],
  },
  {
    reason: 'it allows all that the newer version allows, but for the new roles',
    changes: [
      ...labelRules,
      ...['rule-changed', 'rule-changed spec', 'pattern-changed spec.autoscaling.custom[].metric'],
      ...['maxLength-tightened', 'pattern-tightened'].map((change) => `${change} spec.patches[].kind`),
    ],
  },
  {
    reason: 'rules of new fields, and of what the upgrade fixed',
    changes: ['', ' spec', ' spec.loadBalancer', ' spec.stages[]', ' spec.stages[].publishers[]'].map(
      (path) => `rule-removed${path}`,
    ),
  },
  { reason: 'the default of the object lacks the new fields', changes: ['default-changed spec.ingress'] },
];
