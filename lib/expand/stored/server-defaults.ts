/** Types with a single owner for the whole value: `x-kubernetes-map-type: atomic` in the OpenAPI document. */
export const atomicTypes: ReadonlySet<string> = new Set([
  'ConfigMapKeySelector',
  'CrossVersionObjectReference',
  'FileKeySelector',
  'LabelSelector',
  'LocalObjectReference',
  'MatchResources',
  'NamedRuleWithOperations',
  'NodeSelector',
  'NodeSelectorTerm',
  'ObjectFieldSelector',
  'ObjectReference',
  'OwnerReference',
  'ParamKind',
  'ParamRef',
  'ResourceFieldSelector',
  'RoleRef',
  'ScopeSelector',
  'SecretKeySelector',
  'ServiceBackendPort',
  'Subject',
  'TypedLocalObjectReference',
  'Variable',
]);

/** Maps with a single owner for the whole value. */
export const atomicMaps: ReadonlySet<string> = new Set(['PodSpec.nodeSelector', 'ServiceSpec.selector']);

/** Numbers and booleans without a pointer in Kubernetes' Go types: 0 and false are not serialized. */
export const omittedZeros: ReadonlySet<string> = new Set([
  ...['AWSElasticBlockStoreVolumeSource.readOnly', 'AzureFileVolumeSource.readOnly', 'CephFSVolumeSource.readOnly'],
  ...['CinderVolumeSource.readOnly', 'Container.stdin', 'Container.stdinOnce', 'Container.tty'],
  ...[
    'ContainerPort.hostPort',
    'CustomResourceColumnDefinition.priority',
    'CustomResourceDefinitionVersion.deprecated',
  ],
  ...['CustomResourceDefinitionSpec.preserveUnknownFields', 'DaemonSetSpec.minReadySeconds'],
  ...[
    'DeploymentSpec.minReadySeconds',
    'DeploymentSpec.paused',
    'FCVolumeSource.readOnly',
    'FlexVolumeSource.readOnly',
  ],
  ...['GCEPersistentDiskVolumeSource.readOnly', 'GlusterfsVolumeSource.readOnly', 'ISCSIVolumeSource.readOnly'],
  ...['ISCSIVolumeSource.chapAuthDiscovery', 'ISCSIVolumeSource.chapAuthSession', 'NFSVolumeSource.readOnly'],
  ...['PersistentVolumeClaimVolumeSource.readOnly', 'PodSpec.hostIPC', 'PodSpec.hostNetwork', 'PodSpec.hostPID'],
  ...['PortworxVolumeSource.readOnly', 'PriorityClass.globalDefault', 'Probe.failureThreshold'],
  ...['Probe.initialDelaySeconds', 'Probe.periodSeconds', 'Probe.successThreshold', 'Probe.timeoutSeconds'],
  ...['QuobyteVolumeSource.readOnly', 'RBDVolumeSource.readOnly', 'ScaleIOVolumeSource.readOnly'],
  ...['ScaleIOVolumeSource.sslEnabled', 'ServicePort.nodePort', 'ServiceSpec.healthCheckNodePort'],
  ...['ServiceSpec.publishNotReadyAddresses', 'StatefulSetSpec.minReadySeconds', 'StorageOSVolumeSource.readOnly'],
  'VolumeMount.readOnly',
]);

/** Values that the API server adds within atomic fields, besides those of its OpenAPI document. */
export const addedValues: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['NamedRuleWithOperations.scope', ['*']],
  ['MatchResources.matchPolicy', ['Equivalent']],
  ['NetworkPolicyPort.protocol', ['TCP']],
  ['ObjectFieldSelector.apiVersion', ['v1']],
  ['PodFailurePolicyOnPodConditionsPattern.status', ['True']],
  ['ResourceFieldSelector.divisor', ['0']],
  ['RoleRef.apiGroup', ['rbac.authorization.k8s.io']],
  ['ServiceAccountTokenProjection.expirationSeconds', [3600]],
  ['Subject.apiGroup', ['rbac.authorization.k8s.io']],
  ['EmbeddedPersistentVolumeClaim.apiVersion', ['v1']],
  ['EmbeddedPersistentVolumeClaim.kind', ['PersistentVolumeClaim']],
  ['PersistentVolumeClaimSpec.volumeMode', ['Filesystem']],
]);

/** Fields that the API server computes from others within atomic values. */
export const computedFields: ReadonlySet<string> = new Set([
  'EmbeddedPersistentVolumeClaim.status',
  'LimitRangeItem.default',
  'LimitRangeItem.defaultRequest',
]);
