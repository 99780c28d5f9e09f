// Written by scripts/generate-native.mjs from Kubernetes 1.36's OpenAPI documents; do not edit.

/** A port number or name, a count or a percentage. */
export type IntOrString = number | string;

/** An amount of a resource: `250m`, `1Gi`, 2. */
export type Quantity = number | string;

/** Kubernetes' AWSElasticBlockStoreVolumeSource (core.v1). */
export interface AWSElasticBlockStoreVolumeSource {
  readonly fsType?: string | undefined;
  readonly partition?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeID: string;
}

/** Kubernetes' Affinity (core.v1). */
export interface Affinity {
  readonly nodeAffinity?: NodeAffinity | undefined;
  readonly podAffinity?: PodAffinity | undefined;
  readonly podAntiAffinity?: PodAntiAffinity | undefined;
}

/** Kubernetes' AggregationRule (rbac.v1). */
export interface AggregationRule {
  readonly clusterRoleSelectors?: readonly LabelSelector[] | undefined;
}

/** Kubernetes' AppArmorProfile (core.v1). */
export interface AppArmorProfile {
  readonly localhostProfile?: string | undefined;
  readonly type: 'Localhost' | 'RuntimeDefault' | 'Unconfined';
}

/** Kubernetes' AuditAnnotation (admissionregistration.v1). */
export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

/** Kubernetes' AzureDiskVolumeSource (core.v1). */
export interface AzureDiskVolumeSource {
  readonly cachingMode?: 'None' | 'ReadOnly' | 'ReadWrite' | undefined;
  readonly diskName: string;
  readonly diskURI: string;
  readonly fsType?: string | undefined;
  readonly kind?: 'Dedicated' | 'Managed' | 'Shared' | undefined;
  readonly readOnly?: boolean | undefined;
}

/** Kubernetes' AzureFileVolumeSource (core.v1). */
export interface AzureFileVolumeSource {
  readonly readOnly?: boolean | undefined;
  readonly secretName: string;
  readonly shareName: string;
}

/** Kubernetes' CSIVolumeSource (core.v1). */
export interface CSIVolumeSource {
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly nodePublishSecretRef?: LocalObjectReference | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeAttributes?: Readonly<Record<string, string>> | undefined;
}

/** Kubernetes' Capabilities (core.v1). */
export interface Capabilities {
  readonly add?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
}

/** Kubernetes' CephFSVolumeSource (core.v1). */
export interface CephFSVolumeSource {
  readonly monitors: readonly string[];
  readonly path?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretFile?: string | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly user?: string | undefined;
}

/** Kubernetes' CinderVolumeSource (core.v1). */
export interface CinderVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly volumeID: string;
}

/** Kubernetes' ClientIPConfig (core.v1). */
export interface ClientIPConfig {
  readonly timeoutSeconds?: number | undefined;
}

/** Kubernetes' ClusterRole (rbac.v1). */
export interface ClusterRole {
  readonly aggregationRule?: AggregationRule | undefined;
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'ClusterRole';
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | undefined;
}

/** Kubernetes' ClusterRoleBinding (rbac.v1). */
export interface ClusterRoleBinding {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'ClusterRoleBinding';
  readonly metadata: ObjectMeta;
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[] | undefined;
}

/** Kubernetes' ClusterTrustBundleProjection (core.v1). */
export interface ClusterTrustBundleProjection {
  readonly labelSelector?: LabelSelector | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
  readonly path: string;
  readonly signerName?: string | undefined;
}

/** Kubernetes' Condition (apimachinery.pkg.apis.meta.v1). */
export interface Condition {
  readonly lastTransitionTime: string;
  readonly message: string;
  readonly observedGeneration?: number | undefined;
  readonly reason: string;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' ConfigMap (core.v1). */
export interface ConfigMap {
  readonly apiVersion: 'v1';
  readonly binaryData?: Readonly<Record<string, string>> | undefined;
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly immutable?: boolean | undefined;
  readonly kind: 'ConfigMap';
  readonly metadata: ObjectMeta;
}

/** Kubernetes' ConfigMapEnvSource (core.v1). */
export interface ConfigMapEnvSource {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** Kubernetes' ConfigMapKeySelector (core.v1). */
export interface ConfigMapKeySelector {
  readonly key: string;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** Kubernetes' ConfigMapProjection (core.v1). */
export interface ConfigMapProjection {
  readonly items?: readonly KeyToPath[] | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** Kubernetes' ConfigMapVolumeSource (core.v1). */
export interface ConfigMapVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** Kubernetes' Container (core.v1). */
export interface Container {
  readonly args?: readonly string[] | undefined;
  readonly command?: readonly string[] | undefined;
  readonly env?: readonly EnvVar[] | undefined;
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  readonly image?: string | undefined;
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly livenessProbe?: Probe | undefined;
  readonly name: string;
  readonly ports?: readonly ContainerPort[] | undefined;
  readonly readinessProbe?: Probe | undefined;
  readonly resizePolicy?: readonly ContainerResizePolicy[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
  readonly restartPolicyRules?: readonly ContainerRestartRule[] | undefined;
  readonly securityContext?: SecurityContext | undefined;
  readonly startupProbe?: Probe | undefined;
  readonly stdin?: boolean | undefined;
  readonly stdinOnce?: boolean | undefined;
  readonly terminationMessagePath?: string | undefined;
  readonly terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File' | undefined;
  readonly tty?: boolean | undefined;
  readonly volumeDevices?: readonly VolumeDevice[] | undefined;
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  readonly workingDir?: string | undefined;
}

/** Kubernetes' ContainerExtendedResourceRequest (core.v1). */
export interface ContainerExtendedResourceRequest {
  readonly containerName: string;
  readonly requestName: string;
  readonly resourceName: string;
}

/** Kubernetes' ContainerPort (core.v1). */
export interface ContainerPort {
  readonly containerPort: number;
  readonly hostIP?: string | undefined;
  readonly hostPort?: number | undefined;
  readonly name?: string | undefined;
  readonly protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
}

/** Kubernetes' ContainerResizePolicy (core.v1). */
export interface ContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}

/** Kubernetes' ContainerResourceMetricSource (autoscaling.v2). */
export interface ContainerResourceMetricSource {
  readonly container: string;
  readonly name: string;
  readonly target: MetricTarget;
}

/** Kubernetes' ContainerResourceMetricStatus (autoscaling.v2). */
export interface ContainerResourceMetricStatus {
  readonly container: string;
  readonly current: MetricValueStatus;
  readonly name: string;
}

/** Kubernetes' ContainerRestartRule (core.v1). */
export interface ContainerRestartRule {
  readonly action: string;
  readonly exitCodes?: ContainerRestartRuleOnExitCodes | undefined;
}

/** Kubernetes' ContainerRestartRuleOnExitCodes (core.v1). */
export interface ContainerRestartRuleOnExitCodes {
  readonly operator: string;
  readonly values?: readonly number[] | undefined;
}

/** Kubernetes' ContainerState (core.v1). */
export interface ContainerState {
  readonly running?: ContainerStateRunning | undefined;
  readonly terminated?: ContainerStateTerminated | undefined;
  readonly waiting?: ContainerStateWaiting | undefined;
}

/** Kubernetes' ContainerStateRunning (core.v1). */
export interface ContainerStateRunning {
  readonly startedAt?: string | undefined;
}

/** Kubernetes' ContainerStateTerminated (core.v1). */
export interface ContainerStateTerminated {
  readonly containerID?: string | undefined;
  readonly exitCode: number;
  readonly finishedAt?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly signal?: number | undefined;
  readonly startedAt?: string | undefined;
}

/** Kubernetes' ContainerStateWaiting (core.v1). */
export interface ContainerStateWaiting {
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
}

/** Kubernetes' ContainerStatus (core.v1). */
export interface ContainerStatus {
  readonly allocatedResources?: Readonly<Record<string, Quantity>> | undefined;
  readonly allocatedResourcesStatus?: readonly ResourceStatus[] | undefined;
  readonly containerID?: string | undefined;
  readonly image: string;
  readonly imageID: string;
  readonly lastState?: ContainerState | undefined;
  readonly name: string;
  readonly ready: boolean;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartCount: number;
  readonly started?: boolean | undefined;
  readonly state?: ContainerState | undefined;
  readonly stopSignal?:
    | 'SIGABRT'
    | 'SIGALRM'
    | 'SIGBUS'
    | 'SIGCHLD'
    | 'SIGCLD'
    | 'SIGCONT'
    | 'SIGFPE'
    | 'SIGHUP'
    | 'SIGILL'
    | 'SIGINT'
    | 'SIGIO'
    | 'SIGIOT'
    | 'SIGKILL'
    | 'SIGPIPE'
    | 'SIGPOLL'
    | 'SIGPROF'
    | 'SIGPWR'
    | 'SIGQUIT'
    | 'SIGRTMAX'
    | 'SIGRTMAX-1'
    | 'SIGRTMAX-10'
    | 'SIGRTMAX-11'
    | 'SIGRTMAX-12'
    | 'SIGRTMAX-13'
    | 'SIGRTMAX-14'
    | 'SIGRTMAX-2'
    | 'SIGRTMAX-3'
    | 'SIGRTMAX-4'
    | 'SIGRTMAX-5'
    | 'SIGRTMAX-6'
    | 'SIGRTMAX-7'
    | 'SIGRTMAX-8'
    | 'SIGRTMAX-9'
    | 'SIGRTMIN'
    | 'SIGRTMIN+1'
    | 'SIGRTMIN+10'
    | 'SIGRTMIN+11'
    | 'SIGRTMIN+12'
    | 'SIGRTMIN+13'
    | 'SIGRTMIN+14'
    | 'SIGRTMIN+15'
    | 'SIGRTMIN+2'
    | 'SIGRTMIN+3'
    | 'SIGRTMIN+4'
    | 'SIGRTMIN+5'
    | 'SIGRTMIN+6'
    | 'SIGRTMIN+7'
    | 'SIGRTMIN+8'
    | 'SIGRTMIN+9'
    | 'SIGSEGV'
    | 'SIGSTKFLT'
    | 'SIGSTOP'
    | 'SIGSYS'
    | 'SIGTERM'
    | 'SIGTRAP'
    | 'SIGTSTP'
    | 'SIGTTIN'
    | 'SIGTTOU'
    | 'SIGURG'
    | 'SIGUSR1'
    | 'SIGUSR2'
    | 'SIGVTALRM'
    | 'SIGWINCH'
    | 'SIGXCPU'
    | 'SIGXFSZ'
    | undefined;
  readonly user?: ContainerUser | undefined;
  readonly volumeMounts?: readonly VolumeMountStatus[] | undefined;
}

/** Kubernetes' ContainerUser (core.v1). */
export interface ContainerUser {
  readonly linux?: LinuxContainerUser | undefined;
}

/** Kubernetes' CronJob (batch.v1). */
export interface CronJob {
  readonly apiVersion: 'batch/v1';
  readonly kind: 'CronJob';
  readonly metadata: ObjectMeta;
  readonly spec: CronJobSpec;
  readonly status?: CronJobStatus | undefined;
}

/** Kubernetes' CronJobSpec (batch.v1). */
export interface CronJobSpec {
  readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace' | undefined;
  readonly failedJobsHistoryLimit?: number | undefined;
  readonly jobTemplate: JobTemplateSpec;
  readonly schedule: string;
  readonly startingDeadlineSeconds?: number | undefined;
  readonly successfulJobsHistoryLimit?: number | undefined;
  readonly suspend?: boolean | undefined;
  readonly timeZone?: string | undefined;
}

/** Kubernetes' CronJobStatus (batch.v1). */
export interface CronJobStatus {
  readonly active?: readonly ObjectReference[] | undefined;
  readonly lastScheduleTime?: string | undefined;
  readonly lastSuccessfulTime?: string | undefined;
}

/** Kubernetes' CrossVersionObjectReference (autoscaling.v2). */
export interface CrossVersionObjectReference {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

/** Kubernetes' CustomResourceColumnDefinition (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceColumnDefinition {
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly jsonPath: string;
  readonly name: string;
  readonly priority?: number | undefined;
  readonly type: string;
}

/** Kubernetes' CustomResourceConversion (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceConversion {
  readonly strategy: string;
  readonly webhook?: WebhookConversion | undefined;
}

/** Kubernetes' CustomResourceDefinition (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: ObjectMeta;
  readonly spec: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus | undefined;
}

/** Kubernetes' CustomResourceDefinitionCondition (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceDefinitionCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' CustomResourceDefinitionNames (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceDefinitionNames {
  readonly categories?: readonly string[] | undefined;
  readonly kind: string;
  readonly listKind?: string | undefined;
  readonly plural: string;
  readonly shortNames?: readonly string[] | undefined;
  readonly singular?: string | undefined;
}

/** Kubernetes' CustomResourceDefinitionSpec (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceDefinitionSpec {
  readonly conversion?: CustomResourceConversion | undefined;
  readonly group: string;
  readonly names: CustomResourceDefinitionNames;
  readonly preserveUnknownFields?: boolean | undefined;
  readonly scope: string;
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

/** Kubernetes' CustomResourceDefinitionStatus (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceDefinitionStatus {
  readonly acceptedNames?: CustomResourceDefinitionNames | undefined;
  readonly conditions?: readonly CustomResourceDefinitionCondition[] | undefined;
  readonly observedGeneration?: number | undefined;
  readonly storedVersions?: readonly string[] | undefined;
}

/** Kubernetes' CustomResourceDefinitionVersion (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceDefinitionVersion {
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[] | undefined;
  readonly deprecated?: boolean | undefined;
  readonly deprecationWarning?: string | undefined;
  readonly name: string;
  readonly schema?: CustomResourceValidation | undefined;
  readonly selectableFields?: readonly SelectableField[] | undefined;
  readonly served: boolean;
  readonly storage: boolean;
  readonly subresources?: CustomResourceSubresources | undefined;
}

/** Kubernetes' CustomResourceSubresourceScale (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceSubresourceScale {
  readonly labelSelectorPath?: string | undefined;
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
}

/** Kubernetes' CustomResourceSubresourceStatus (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceSubresourceStatus {}

/** Kubernetes' CustomResourceSubresources (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceSubresources {
  readonly scale?: CustomResourceSubresourceScale | undefined;
  readonly status?: CustomResourceSubresourceStatus | undefined;
}

/** Kubernetes' CustomResourceValidation (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface CustomResourceValidation {
  readonly openAPIV3Schema?: unknown | undefined;
}

/** Kubernetes' DaemonSet (apps.v1). */
export interface DaemonSet {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'DaemonSet';
  readonly metadata: ObjectMeta;
  readonly spec?: DaemonSetSpec | undefined;
  readonly status?: DaemonSetStatus | undefined;
}

/** Kubernetes' DaemonSetCondition (apps.v1). */
export interface DaemonSetCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' DaemonSetSpec (apps.v1). */
export interface DaemonSetSpec {
  readonly minReadySeconds?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy | undefined;
}

/** Kubernetes' DaemonSetStatus (apps.v1). */
export interface DaemonSetStatus {
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly DaemonSetCondition[] | undefined;
  readonly currentNumberScheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberAvailable?: number | undefined;
  readonly numberMisscheduled: number;
  readonly numberReady: number;
  readonly numberUnavailable?: number | undefined;
  readonly observedGeneration?: number | undefined;
  readonly updatedNumberScheduled?: number | undefined;
}

/** Kubernetes' DaemonSetUpdateStrategy (apps.v1). */
export interface DaemonSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateDaemonSet | undefined;
  readonly type?: 'OnDelete' | 'RollingUpdate' | undefined;
}

/** Kubernetes' Deployment (apps.v1). */
export interface Deployment {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'Deployment';
  readonly metadata: ObjectMeta;
  readonly spec?: DeploymentSpec | undefined;
  readonly status?: DeploymentStatus | undefined;
}

/** Kubernetes' DeploymentCondition (apps.v1). */
export interface DeploymentCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly lastUpdateTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' DeploymentSpec (apps.v1). */
export interface DeploymentSpec {
  readonly minReadySeconds?: number | undefined;
  readonly paused?: boolean | undefined;
  readonly progressDeadlineSeconds?: number | undefined;
  readonly replicas?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly selector: LabelSelector;
  readonly strategy?: DeploymentStrategy | undefined;
  readonly template: PodTemplateSpec;
}

/** Kubernetes' DeploymentStatus (apps.v1). */
export interface DeploymentStatus {
  readonly availableReplicas?: number | undefined;
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly DeploymentCondition[] | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas?: number | undefined;
  readonly terminatingReplicas?: number | undefined;
  readonly unavailableReplicas?: number | undefined;
  readonly updatedReplicas?: number | undefined;
}

/** Kubernetes' DeploymentStrategy (apps.v1). */
export interface DeploymentStrategy {
  readonly rollingUpdate?: RollingUpdateDeployment | undefined;
  readonly type?: 'Recreate' | 'RollingUpdate' | undefined;
}

/** Kubernetes' DownwardAPIProjection (core.v1). */
export interface DownwardAPIProjection {
  readonly items?: readonly DownwardAPIVolumeFile[] | undefined;
}

/** Kubernetes' DownwardAPIVolumeFile (core.v1). */
export interface DownwardAPIVolumeFile {
  readonly fieldRef?: ObjectFieldSelector | undefined;
  readonly mode?: number | undefined;
  readonly path: string;
  readonly resourceFieldRef?: ResourceFieldSelector | undefined;
}

/** Kubernetes' DownwardAPIVolumeSource (core.v1). */
export interface DownwardAPIVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly items?: readonly DownwardAPIVolumeFile[] | undefined;
}

/** Kubernetes' EmbeddedPersistentVolumeClaim (core.v1). */
export interface EmbeddedPersistentVolumeClaim {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: PersistentVolumeClaimSpec | undefined;
  readonly status?: PersistentVolumeClaimStatus | undefined;
}

/** Kubernetes' EmptyDirVolumeSource (core.v1). */
export interface EmptyDirVolumeSource {
  readonly medium?: string | undefined;
  readonly sizeLimit?: Quantity | undefined;
}

/** Kubernetes' EnvFromSource (core.v1). */
export interface EnvFromSource {
  readonly configMapRef?: ConfigMapEnvSource | undefined;
  readonly prefix?: string | undefined;
  readonly secretRef?: SecretEnvSource | undefined;
}

/** Kubernetes' EnvVar (core.v1). */
export interface EnvVar {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: EnvVarSource | undefined;
}

/** Kubernetes' EnvVarSource (core.v1). */
export interface EnvVarSource {
  readonly configMapKeyRef?: ConfigMapKeySelector | undefined;
  readonly fieldRef?: ObjectFieldSelector | undefined;
  readonly fileKeyRef?: FileKeySelector | undefined;
  readonly resourceFieldRef?: ResourceFieldSelector | undefined;
  readonly secretKeyRef?: SecretKeySelector | undefined;
}

/** Kubernetes' EphemeralContainer (core.v1). */
export interface EphemeralContainer {
  readonly args?: readonly string[] | undefined;
  readonly command?: readonly string[] | undefined;
  readonly env?: readonly EnvVar[] | undefined;
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  readonly image?: string | undefined;
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly livenessProbe?: Probe | undefined;
  readonly name: string;
  readonly ports?: readonly ContainerPort[] | undefined;
  readonly readinessProbe?: Probe | undefined;
  readonly resizePolicy?: readonly ContainerResizePolicy[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
  readonly restartPolicyRules?: readonly ContainerRestartRule[] | undefined;
  readonly securityContext?: SecurityContext | undefined;
  readonly startupProbe?: Probe | undefined;
  readonly stdin?: boolean | undefined;
  readonly stdinOnce?: boolean | undefined;
  readonly targetContainerName?: string | undefined;
  readonly terminationMessagePath?: string | undefined;
  readonly terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File' | undefined;
  readonly tty?: boolean | undefined;
  readonly volumeDevices?: readonly VolumeDevice[] | undefined;
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  readonly workingDir?: string | undefined;
}

/** Kubernetes' EphemeralVolumeSource (core.v1). */
export interface EphemeralVolumeSource {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate | undefined;
}

/** Kubernetes' ExecAction (core.v1). */
export interface ExecAction {
  readonly command?: readonly string[] | undefined;
}

/** Kubernetes' ExpressionWarning (admissionregistration.v1). */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** Kubernetes' ExternalMetricSource (autoscaling.v2). */
export interface ExternalMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

/** Kubernetes' ExternalMetricStatus (autoscaling.v2). */
export interface ExternalMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}

/** Kubernetes' FCVolumeSource (core.v1). */
export interface FCVolumeSource {
  readonly fsType?: string | undefined;
  readonly lun?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly targetWWNs?: readonly string[] | undefined;
  readonly wwids?: readonly string[] | undefined;
}

/** Kubernetes' FileKeySelector (core.v1). */
export interface FileKeySelector {
  readonly key: string;
  readonly optional?: boolean | undefined;
  readonly path: string;
  readonly volumeName: string;
}

/** Kubernetes' FlexVolumeSource (core.v1). */
export interface FlexVolumeSource {
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
}

/** Kubernetes' FlockerVolumeSource (core.v1). */
export interface FlockerVolumeSource {
  readonly datasetName?: string | undefined;
  readonly datasetUUID?: string | undefined;
}

/** Kubernetes' GCEPersistentDiskVolumeSource (core.v1). */
export interface GCEPersistentDiskVolumeSource {
  readonly fsType?: string | undefined;
  readonly partition?: number | undefined;
  readonly pdName: string;
  readonly readOnly?: boolean | undefined;
}

/** Kubernetes' GRPCAction (core.v1). */
export interface GRPCAction {
  readonly port: number;
  readonly service?: string | undefined;
}

/** Kubernetes' GitRepoVolumeSource (core.v1). */
export interface GitRepoVolumeSource {
  readonly directory?: string | undefined;
  readonly repository: string;
  readonly revision?: string | undefined;
}

/** Kubernetes' GlusterfsVolumeSource (core.v1). */
export interface GlusterfsVolumeSource {
  readonly endpoints: string;
  readonly path: string;
  readonly readOnly?: boolean | undefined;
}

/** Kubernetes' HPAScalingPolicy (autoscaling.v2). */
export interface HPAScalingPolicy {
  readonly periodSeconds: number;
  readonly type: string;
  readonly value: number;
}

/** Kubernetes' HPAScalingRules (autoscaling.v2). */
export interface HPAScalingRules {
  readonly policies?: readonly HPAScalingPolicy[] | undefined;
  readonly selectPolicy?: string | undefined;
  readonly stabilizationWindowSeconds?: number | undefined;
  readonly tolerance?: Quantity | undefined;
}

/** Kubernetes' HTTPGetAction (core.v1). */
export interface HTTPGetAction {
  readonly host?: string | undefined;
  readonly httpHeaders?: readonly HTTPHeader[] | undefined;
  readonly path?: string | undefined;
  readonly port: IntOrString;
  readonly scheme?: 'HTTP' | 'HTTPS' | undefined;
}

/** Kubernetes' HTTPHeader (core.v1). */
export interface HTTPHeader {
  readonly name: string;
  readonly value: string;
}

/** Kubernetes' HTTPIngressPath (networking.v1). */
export interface HTTPIngressPath {
  readonly backend: IngressBackend;
  readonly path?: string | undefined;
  readonly pathType: 'Exact' | 'ImplementationSpecific' | 'Prefix';
}

/** Kubernetes' HTTPIngressRuleValue (networking.v1). */
export interface HTTPIngressRuleValue {
  readonly paths: readonly HTTPIngressPath[];
}

/** Kubernetes' HorizontalPodAutoscaler (autoscaling.v2). */
export interface HorizontalPodAutoscaler {
  readonly apiVersion: 'autoscaling/v2';
  readonly kind: 'HorizontalPodAutoscaler';
  readonly metadata: ObjectMeta;
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus | undefined;
}

/** Kubernetes' HorizontalPodAutoscalerBehavior (autoscaling.v2). */
export interface HorizontalPodAutoscalerBehavior {
  readonly scaleDown?: HPAScalingRules | undefined;
  readonly scaleUp?: HPAScalingRules | undefined;
}

/** Kubernetes' HorizontalPodAutoscalerCondition (autoscaling.v2). */
export interface HorizontalPodAutoscalerCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' HorizontalPodAutoscalerSpec (autoscaling.v2). */
export interface HorizontalPodAutoscalerSpec {
  readonly behavior?: HorizontalPodAutoscalerBehavior | undefined;
  readonly maxReplicas: number;
  readonly metrics?: readonly MetricSpec[] | undefined;
  readonly minReplicas?: number | undefined;
  readonly scaleTargetRef: CrossVersionObjectReference;
}

/** Kubernetes' HorizontalPodAutoscalerStatus (autoscaling.v2). */
export interface HorizontalPodAutoscalerStatus {
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[] | undefined;
  readonly currentMetrics?: readonly MetricStatus[] | undefined;
  readonly currentReplicas?: number | undefined;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string | undefined;
  readonly observedGeneration?: number | undefined;
}

/** Kubernetes' HostAlias (core.v1). */
export interface HostAlias {
  readonly hostnames?: readonly string[] | undefined;
  readonly ip: string;
}

/** Kubernetes' HostIP (core.v1). */
export interface HostIP {
  readonly ip: string;
}

/** Kubernetes' HostPathVolumeSource (core.v1). */
export interface HostPathVolumeSource {
  readonly path: string;
  readonly type?:
    'BlockDevice' | 'CharDevice' | 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate' | 'Socket' | undefined;
}

/** Kubernetes' IPBlock (networking.v1). */
export interface IPBlock {
  readonly cidr: string;
  readonly except?: readonly string[] | undefined;
}

/** Kubernetes' ISCSIVolumeSource (core.v1). */
export interface ISCSIVolumeSource {
  readonly chapAuthDiscovery?: boolean | undefined;
  readonly chapAuthSession?: boolean | undefined;
  readonly fsType?: string | undefined;
  readonly initiatorName?: string | undefined;
  readonly iqn: string;
  readonly iscsiInterface?: string | undefined;
  readonly lun: number;
  readonly portals?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly targetPortal: string;
}

/** Kubernetes' ImageVolumeSource (core.v1). */
export interface ImageVolumeSource {
  readonly pullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  readonly reference?: string | undefined;
}

/** Kubernetes' ImageVolumeStatus (core.v1). */
export interface ImageVolumeStatus {
  readonly imageRef: string;
}

/** Kubernetes' Ingress (networking.v1). */
export interface Ingress {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'Ingress';
  readonly metadata: ObjectMeta;
  readonly spec?: IngressSpec | undefined;
  readonly status?: IngressStatus | undefined;
}

/** Kubernetes' IngressBackend (networking.v1). */
export interface IngressBackend {
  readonly resource?: TypedLocalObjectReference | undefined;
  readonly service?: IngressServiceBackend | undefined;
}

/** Kubernetes' IngressLoadBalancerIngress (networking.v1). */
export interface IngressLoadBalancerIngress {
  readonly hostname?: string | undefined;
  readonly ip?: string | undefined;
  readonly ports?: readonly IngressPortStatus[] | undefined;
}

/** Kubernetes' IngressLoadBalancerStatus (networking.v1). */
export interface IngressLoadBalancerStatus {
  readonly ingress?: readonly IngressLoadBalancerIngress[] | undefined;
}

/** Kubernetes' IngressPortStatus (networking.v1). */
export interface IngressPortStatus {
  readonly error?: string | undefined;
  readonly port: number;
  readonly protocol: 'SCTP' | 'TCP' | 'UDP';
}

/** Kubernetes' IngressRule (networking.v1). */
export interface IngressRule {
  readonly host?: string | undefined;
  readonly http?: HTTPIngressRuleValue | undefined;
}

/** Kubernetes' IngressServiceBackend (networking.v1). */
export interface IngressServiceBackend {
  readonly name: string;
  readonly port?: ServiceBackendPort | undefined;
}

/** Kubernetes' IngressSpec (networking.v1). */
export interface IngressSpec {
  readonly defaultBackend?: IngressBackend | undefined;
  readonly ingressClassName?: string | undefined;
  readonly rules?: readonly IngressRule[] | undefined;
  readonly tls?: readonly IngressTLS[] | undefined;
}

/** Kubernetes' IngressStatus (networking.v1). */
export interface IngressStatus {
  readonly loadBalancer?: IngressLoadBalancerStatus | undefined;
}

/** Kubernetes' IngressTLS (networking.v1). */
export interface IngressTLS {
  readonly hosts?: readonly string[] | undefined;
  readonly secretName?: string | undefined;
}

/** Kubernetes' Job (batch.v1). */
export interface Job {
  readonly apiVersion: 'batch/v1';
  readonly kind: 'Job';
  readonly metadata: ObjectMeta;
  readonly spec?: JobSpec | undefined;
  readonly status?: JobStatus | undefined;
}

/** Kubernetes' JobCondition (batch.v1). */
export interface JobCondition {
  readonly lastProbeTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' JobSpec (batch.v1). */
export interface JobSpec {
  readonly activeDeadlineSeconds?: number | undefined;
  readonly backoffLimit?: number | undefined;
  readonly backoffLimitPerIndex?: number | undefined;
  readonly completionMode?: 'Indexed' | 'NonIndexed' | undefined;
  readonly completions?: number | undefined;
  readonly managedBy?: string | undefined;
  readonly manualSelector?: boolean | undefined;
  readonly maxFailedIndexes?: number | undefined;
  readonly parallelism?: number | undefined;
  readonly podFailurePolicy?: PodFailurePolicy | undefined;
  readonly podReplacementPolicy?: 'Failed' | 'TerminatingOrFailed' | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly successPolicy?: SuccessPolicy | undefined;
  readonly suspend?: boolean | undefined;
  readonly template: PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number | undefined;
}

/** Kubernetes' JobStatus (batch.v1). */
export interface JobStatus {
  readonly active?: number | undefined;
  readonly completedIndexes?: string | undefined;
  readonly completionTime?: string | undefined;
  readonly conditions?: readonly JobCondition[] | undefined;
  readonly failed?: number | undefined;
  readonly failedIndexes?: string | undefined;
  readonly ready?: number | undefined;
  readonly startTime?: string | undefined;
  readonly succeeded?: number | undefined;
  readonly terminating?: number | undefined;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods | undefined;
}

/** Kubernetes' JobTemplateSpec (batch.v1). */
export interface JobTemplateSpec {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: JobSpec | undefined;
}

/** Kubernetes' KeyToPath (core.v1). */
export interface KeyToPath {
  readonly key: string;
  readonly mode?: number | undefined;
  readonly path: string;
}

/** Kubernetes' LabelSelector (apimachinery.pkg.apis.meta.v1). */
export interface LabelSelector {
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | undefined;
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
}

/** Kubernetes' LabelSelectorRequirement (apimachinery.pkg.apis.meta.v1). */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** Kubernetes' Lifecycle (core.v1). */
export interface Lifecycle {
  readonly postStart?: LifecycleHandler | undefined;
  readonly preStop?: LifecycleHandler | undefined;
  readonly stopSignal?:
    | 'SIGABRT'
    | 'SIGALRM'
    | 'SIGBUS'
    | 'SIGCHLD'
    | 'SIGCLD'
    | 'SIGCONT'
    | 'SIGFPE'
    | 'SIGHUP'
    | 'SIGILL'
    | 'SIGINT'
    | 'SIGIO'
    | 'SIGIOT'
    | 'SIGKILL'
    | 'SIGPIPE'
    | 'SIGPOLL'
    | 'SIGPROF'
    | 'SIGPWR'
    | 'SIGQUIT'
    | 'SIGRTMAX'
    | 'SIGRTMAX-1'
    | 'SIGRTMAX-10'
    | 'SIGRTMAX-11'
    | 'SIGRTMAX-12'
    | 'SIGRTMAX-13'
    | 'SIGRTMAX-14'
    | 'SIGRTMAX-2'
    | 'SIGRTMAX-3'
    | 'SIGRTMAX-4'
    | 'SIGRTMAX-5'
    | 'SIGRTMAX-6'
    | 'SIGRTMAX-7'
    | 'SIGRTMAX-8'
    | 'SIGRTMAX-9'
    | 'SIGRTMIN'
    | 'SIGRTMIN+1'
    | 'SIGRTMIN+10'
    | 'SIGRTMIN+11'
    | 'SIGRTMIN+12'
    | 'SIGRTMIN+13'
    | 'SIGRTMIN+14'
    | 'SIGRTMIN+15'
    | 'SIGRTMIN+2'
    | 'SIGRTMIN+3'
    | 'SIGRTMIN+4'
    | 'SIGRTMIN+5'
    | 'SIGRTMIN+6'
    | 'SIGRTMIN+7'
    | 'SIGRTMIN+8'
    | 'SIGRTMIN+9'
    | 'SIGSEGV'
    | 'SIGSTKFLT'
    | 'SIGSTOP'
    | 'SIGSYS'
    | 'SIGTERM'
    | 'SIGTRAP'
    | 'SIGTSTP'
    | 'SIGTTIN'
    | 'SIGTTOU'
    | 'SIGURG'
    | 'SIGUSR1'
    | 'SIGUSR2'
    | 'SIGVTALRM'
    | 'SIGWINCH'
    | 'SIGXCPU'
    | 'SIGXFSZ'
    | undefined;
}

/** Kubernetes' LifecycleHandler (core.v1). */
export interface LifecycleHandler {
  readonly exec?: ExecAction | undefined;
  readonly httpGet?: HTTPGetAction | undefined;
  readonly sleep?: SleepAction | undefined;
  readonly tcpSocket?: TCPSocketAction | undefined;
}

/** Kubernetes' LimitRange (core.v1). */
export interface LimitRange {
  readonly apiVersion: 'v1';
  readonly kind: 'LimitRange';
  readonly metadata: ObjectMeta;
  readonly spec?: LimitRangeSpec | undefined;
}

/** Kubernetes' LimitRangeItem (core.v1). */
export interface LimitRangeItem {
  readonly default?: Readonly<Record<string, Quantity>> | undefined;
  readonly defaultRequest?: Readonly<Record<string, Quantity>> | undefined;
  readonly max?: Readonly<Record<string, Quantity>> | undefined;
  readonly maxLimitRequestRatio?: Readonly<Record<string, Quantity>> | undefined;
  readonly min?: Readonly<Record<string, Quantity>> | undefined;
  readonly type: string;
}

/** Kubernetes' LimitRangeSpec (core.v1). */
export interface LimitRangeSpec {
  readonly limits: readonly LimitRangeItem[];
}

/** Kubernetes' LinuxContainerUser (core.v1). */
export interface LinuxContainerUser {
  readonly gid: number;
  readonly supplementalGroups?: readonly number[] | undefined;
  readonly uid: number;
}

/** Kubernetes' LoadBalancerIngress (core.v1). */
export interface LoadBalancerIngress {
  readonly hostname?: string | undefined;
  readonly ip?: string | undefined;
  readonly ipMode?: string | undefined;
  readonly ports?: readonly PortStatus[] | undefined;
}

/** Kubernetes' LoadBalancerStatus (core.v1). */
export interface LoadBalancerStatus {
  readonly ingress?: readonly LoadBalancerIngress[] | undefined;
}

/** Kubernetes' LocalObjectReference (core.v1). */
export interface LocalObjectReference {
  readonly name?: string | undefined;
}

/** Kubernetes' ManagedFieldsEntry (apimachinery.pkg.apis.meta.v1). */
export interface ManagedFieldsEntry {
  readonly apiVersion?: string | undefined;
  readonly fieldsType?: string | undefined;
  readonly fieldsV1?: unknown | undefined;
  readonly manager?: string | undefined;
  readonly operation?: string | undefined;
  readonly subresource?: string | undefined;
  readonly time?: string | undefined;
}

/** Kubernetes' MatchCondition (admissionregistration.v1). */
export interface MatchCondition {
  readonly expression: string;
  readonly name: string;
}

/** Kubernetes' MatchResources (admissionregistration.v1). */
export interface MatchResources {
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[] | undefined;
  readonly matchPolicy?: 'Equivalent' | 'Exact' | undefined;
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly objectSelector?: LabelSelector | undefined;
  readonly resourceRules?: readonly NamedRuleWithOperations[] | undefined;
}

/** Kubernetes' MetricIdentifier (autoscaling.v2). */
export interface MetricIdentifier {
  readonly name: string;
  readonly selector?: LabelSelector | undefined;
}

/** Kubernetes' MetricSpec (autoscaling.v2). */
export interface MetricSpec {
  readonly containerResource?: ContainerResourceMetricSource | undefined;
  readonly external?: ExternalMetricSource | undefined;
  readonly object?: ObjectMetricSource | undefined;
  readonly pods?: PodsMetricSource | undefined;
  readonly resource?: ResourceMetricSource | undefined;
  readonly type: string;
}

/** Kubernetes' MetricStatus (autoscaling.v2). */
export interface MetricStatus {
  readonly containerResource?: ContainerResourceMetricStatus | undefined;
  readonly external?: ExternalMetricStatus | undefined;
  readonly object?: ObjectMetricStatus | undefined;
  readonly pods?: PodsMetricStatus | undefined;
  readonly resource?: ResourceMetricStatus | undefined;
  readonly type: string;
}

/** Kubernetes' MetricTarget (autoscaling.v2). */
export interface MetricTarget {
  readonly averageUtilization?: number | undefined;
  readonly averageValue?: Quantity | undefined;
  readonly type: string;
  readonly value?: Quantity | undefined;
}

/** Kubernetes' MetricValueStatus (autoscaling.v2). */
export interface MetricValueStatus {
  readonly averageUtilization?: number | undefined;
  readonly averageValue?: Quantity | undefined;
  readonly value?: Quantity | undefined;
}

/** Kubernetes' ModifyVolumeStatus (core.v1). */
export interface ModifyVolumeStatus {
  readonly status: 'InProgress' | 'Infeasible' | 'Pending';
  readonly targetVolumeAttributesClassName?: string | undefined;
}

/** Kubernetes' NFSVolumeSource (core.v1). */
export interface NFSVolumeSource {
  readonly path: string;
  readonly readOnly?: boolean | undefined;
  readonly server: string;
}

/** Kubernetes' NamedRuleWithOperations (admissionregistration.v1). */
export interface NamedRuleWithOperations {
  readonly apiGroups?: readonly string[] | undefined;
  readonly apiVersions?: readonly string[] | undefined;
  readonly operations?: readonly ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly scope?: '*' | 'Cluster' | 'Namespaced' | undefined;
}

/** Kubernetes' Namespace (core.v1). */
export interface Namespace {
  readonly apiVersion: 'v1';
  readonly kind: 'Namespace';
  readonly metadata: ObjectMeta;
  readonly spec?: NamespaceSpec | undefined;
  readonly status?: NamespaceStatus | undefined;
}

/** Kubernetes' NamespaceCondition (core.v1). */
export interface NamespaceCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' NamespaceSpec (core.v1). */
export interface NamespaceSpec {
  readonly finalizers?: readonly string[] | undefined;
}

/** Kubernetes' NamespaceStatus (core.v1). */
export interface NamespaceStatus {
  readonly conditions?: readonly NamespaceCondition[] | undefined;
  readonly phase?: 'Active' | 'Terminating' | undefined;
}

/** Kubernetes' NetworkPolicy (networking.v1). */
export interface NetworkPolicy {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'NetworkPolicy';
  readonly metadata: ObjectMeta;
  readonly spec?: NetworkPolicySpec | undefined;
}

/** Kubernetes' NetworkPolicyEgressRule (networking.v1). */
export interface NetworkPolicyEgressRule {
  readonly ports?: readonly NetworkPolicyPort[] | undefined;
  readonly to?: readonly NetworkPolicyPeer[] | undefined;
}

/** Kubernetes' NetworkPolicyIngressRule (networking.v1). */
export interface NetworkPolicyIngressRule {
  readonly from?: readonly NetworkPolicyPeer[] | undefined;
  readonly ports?: readonly NetworkPolicyPort[] | undefined;
}

/** Kubernetes' NetworkPolicyPeer (networking.v1). */
export interface NetworkPolicyPeer {
  readonly ipBlock?: IPBlock | undefined;
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly podSelector?: LabelSelector | undefined;
}

/** Kubernetes' NetworkPolicyPort (networking.v1). */
export interface NetworkPolicyPort {
  readonly endPort?: number | undefined;
  readonly port?: IntOrString | undefined;
  readonly protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
}

/** Kubernetes' NetworkPolicySpec (networking.v1). */
export interface NetworkPolicySpec {
  readonly egress?: readonly NetworkPolicyEgressRule[] | undefined;
  readonly ingress?: readonly NetworkPolicyIngressRule[] | undefined;
  readonly podSelector?: LabelSelector | undefined;
  readonly policyTypes?: readonly ('Egress' | 'Ingress')[] | undefined;
}

/** Kubernetes' NodeAffinity (core.v1). */
export interface NodeAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[] | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;
}

/** Kubernetes' NodeAllocatableResourceClaimStatus (core.v1). */
export interface NodeAllocatableResourceClaimStatus {
  readonly containers?: readonly string[] | undefined;
  readonly resourceClaimName: string;
  readonly resources: Readonly<Record<string, Quantity>>;
}

/** Kubernetes' NodeSelector (core.v1). */
export interface NodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** Kubernetes' NodeSelectorRequirement (core.v1). */
export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: 'DoesNotExist' | 'Exists' | 'Gt' | 'In' | 'Lt' | 'NotIn';
  readonly values?: readonly string[] | undefined;
}

/** Kubernetes' NodeSelectorTerm (core.v1). */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[] | undefined;
  readonly matchFields?: readonly NodeSelectorRequirement[] | undefined;
}

/** Kubernetes' ObjectFieldSelector (core.v1). */
export interface ObjectFieldSelector {
  readonly apiVersion?: string | undefined;
  readonly fieldPath: string;
}

/** Kubernetes' ObjectMeta (apimachinery.pkg.apis.meta.v1). */
export interface ObjectMeta {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly generateName?: string | undefined;
  readonly generation?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
  readonly resourceVersion?: string | undefined;
  readonly selfLink?: string | undefined;
  readonly uid?: string | undefined;
}

/** Kubernetes' ObjectMetricSource (autoscaling.v2). */
export interface ObjectMetricSource {
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

/** Kubernetes' ObjectMetricStatus (autoscaling.v2). */
export interface ObjectMetricStatus {
  readonly current: MetricValueStatus;
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
}

/** Kubernetes' ObjectReference (core.v1). */
export interface ObjectReference {
  readonly apiVersion?: string | undefined;
  readonly fieldPath?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly uid?: string | undefined;
}

/** Kubernetes' OwnerReference (apimachinery.pkg.apis.meta.v1). */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly blockOwnerDeletion?: boolean | undefined;
  readonly controller?: boolean | undefined;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Kubernetes' ParamKind (admissionregistration.v1). */
export interface ParamKind {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

/** Kubernetes' ParamRef (admissionregistration.v1). */
export interface ParamRef {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly parameterNotFoundAction?: string | undefined;
  readonly selector?: LabelSelector | undefined;
}

/** Kubernetes' PersistentVolumeClaim (core.v1). */
export interface PersistentVolumeClaim {
  readonly apiVersion: 'v1';
  readonly kind: 'PersistentVolumeClaim';
  readonly metadata: ObjectMeta;
  readonly spec?: PersistentVolumeClaimSpec | undefined;
  readonly status?: PersistentVolumeClaimStatus | undefined;
}

/** Kubernetes' PersistentVolumeClaimCondition (core.v1). */
export interface PersistentVolumeClaimCondition {
  readonly lastProbeTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' PersistentVolumeClaimSpec (core.v1). */
export interface PersistentVolumeClaimSpec {
  readonly accessModes?:
    readonly ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[] | undefined;
  readonly dataSource?: TypedLocalObjectReference | undefined;
  readonly dataSourceRef?: TypedObjectReference | undefined;
  readonly resources?: VolumeResourceRequirements | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly storageClassName?: string | undefined;
  readonly volumeAttributesClassName?: string | undefined;
  readonly volumeMode?: 'Block' | 'Filesystem' | undefined;
  readonly volumeName?: string | undefined;
}

/** Kubernetes' PersistentVolumeClaimStatus (core.v1). */
export interface PersistentVolumeClaimStatus {
  readonly accessModes?:
    readonly ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[] | undefined;
  readonly allocatedResourceStatuses?:
    | Readonly<
        Record<
          string,
          | 'ControllerResizeInProgress'
          | 'ControllerResizeInfeasible'
          | 'NodeResizeInProgress'
          | 'NodeResizeInfeasible'
          | 'NodeResizePending'
        >
      >
    | undefined;
  readonly allocatedResources?: Readonly<Record<string, Quantity>> | undefined;
  readonly capacity?: Readonly<Record<string, Quantity>> | undefined;
  readonly conditions?: readonly PersistentVolumeClaimCondition[] | undefined;
  readonly currentVolumeAttributesClassName?: string | undefined;
  readonly modifyVolumeStatus?: ModifyVolumeStatus | undefined;
  readonly phase?: 'Bound' | 'Lost' | 'Pending' | undefined;
}

/** Kubernetes' PersistentVolumeClaimTemplate (core.v1). */
export interface PersistentVolumeClaimTemplate {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec: PersistentVolumeClaimSpec;
}

/** Kubernetes' PersistentVolumeClaimVolumeSource (core.v1). */
export interface PersistentVolumeClaimVolumeSource {
  readonly claimName: string;
  readonly readOnly?: boolean | undefined;
}

/** Kubernetes' PhotonPersistentDiskVolumeSource (core.v1). */
export interface PhotonPersistentDiskVolumeSource {
  readonly fsType?: string | undefined;
  readonly pdID: string;
}

/** Kubernetes' Pod (core.v1). */
export interface Pod {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: ObjectMeta;
  readonly spec?: PodSpec | undefined;
  readonly status?: PodStatus | undefined;
}

/** Kubernetes' PodAffinity (core.v1). */
export interface PodAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[] | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] | undefined;
}

/** Kubernetes' PodAffinityTerm (core.v1). */
export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly topologyKey: string;
}

/** Kubernetes' PodAntiAffinity (core.v1). */
export interface PodAntiAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[] | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] | undefined;
}

/** Kubernetes' PodCertificateProjection (core.v1). */
export interface PodCertificateProjection {
  readonly certificateChainPath?: string | undefined;
  readonly credentialBundlePath?: string | undefined;
  readonly keyPath?: string | undefined;
  readonly keyType: string;
  readonly maxExpirationSeconds?: number | undefined;
  readonly signerName: string;
  readonly userAnnotations?: Readonly<Record<string, string>> | undefined;
}

/** Kubernetes' PodCondition (core.v1). */
export interface PodCondition {
  readonly lastProbeTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' PodDNSConfig (core.v1). */
export interface PodDNSConfig {
  readonly nameservers?: readonly string[] | undefined;
  readonly options?: readonly PodDNSConfigOption[] | undefined;
  readonly searches?: readonly string[] | undefined;
}

/** Kubernetes' PodDNSConfigOption (core.v1). */
export interface PodDNSConfigOption {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
}

/** Kubernetes' PodDisruptionBudget (policy.v1). */
export interface PodDisruptionBudget {
  readonly apiVersion: 'policy/v1';
  readonly kind: 'PodDisruptionBudget';
  readonly metadata: ObjectMeta;
  readonly spec?: PodDisruptionBudgetSpec | undefined;
  readonly status?: PodDisruptionBudgetStatus | undefined;
}

/** Kubernetes' PodDisruptionBudgetSpec (policy.v1). */
export interface PodDisruptionBudgetSpec {
  readonly maxUnavailable?: IntOrString | undefined;
  readonly minAvailable?: IntOrString | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget' | undefined;
}

/** Kubernetes' PodDisruptionBudgetStatus (policy.v1). */
export interface PodDisruptionBudgetStatus {
  readonly conditions?: readonly Condition[] | undefined;
  readonly currentHealthy?: number | undefined;
  readonly desiredHealthy?: number | undefined;
  readonly disruptedPods?: Readonly<Record<string, string>> | undefined;
  readonly disruptionsAllowed?: number | undefined;
  readonly expectedPods?: number | undefined;
  readonly observedGeneration?: number | undefined;
}

/** Kubernetes' PodExtendedResourceClaimStatus (core.v1). */
export interface PodExtendedResourceClaimStatus {
  readonly requestMappings: readonly ContainerExtendedResourceRequest[];
  readonly resourceClaimName: string;
}

/** Kubernetes' PodFailurePolicy (batch.v1). */
export interface PodFailurePolicy {
  readonly rules: readonly PodFailurePolicyRule[];
}

/** Kubernetes' PodFailurePolicyOnExitCodesRequirement (batch.v1). */
export interface PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string | undefined;
  readonly operator: 'In' | 'NotIn';
  readonly values: readonly number[];
}

/** Kubernetes' PodFailurePolicyOnPodConditionsPattern (batch.v1). */
export interface PodFailurePolicyOnPodConditionsPattern {
  readonly status?: string | undefined;
  readonly type: string;
}

/** Kubernetes' PodFailurePolicyRule (batch.v1). */
export interface PodFailurePolicyRule {
  readonly action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore';
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement | undefined;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[] | undefined;
}

/** Kubernetes' PodIP (core.v1). */
export interface PodIP {
  readonly ip: string;
}

/** Kubernetes' PodOS (core.v1). */
export interface PodOS {
  readonly name: string;
}

/** Kubernetes' PodReadinessGate (core.v1). */
export interface PodReadinessGate {
  readonly conditionType: string;
}

/** Kubernetes' PodResourceClaim (core.v1). */
export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string | undefined;
  readonly resourceClaimTemplateName?: string | undefined;
}

/** Kubernetes' PodResourceClaimStatus (core.v1). */
export interface PodResourceClaimStatus {
  readonly name: string;
  readonly resourceClaimName?: string | undefined;
}

/** Kubernetes' PodSchedulingGate (core.v1). */
export interface PodSchedulingGate {
  readonly name: string;
}

/** Kubernetes' PodSchedulingGroup (core.v1). */
export interface PodSchedulingGroup {
  readonly podGroupName?: string | undefined;
}

/** Kubernetes' PodSecurityContext (core.v1). */
export interface PodSecurityContext {
  readonly appArmorProfile?: AppArmorProfile | undefined;
  readonly fsGroup?: number | undefined;
  readonly fsGroupChangePolicy?: 'Always' | 'OnRootMismatch' | undefined;
  readonly runAsGroup?: number | undefined;
  readonly runAsNonRoot?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly seLinuxChangePolicy?: string | undefined;
  readonly seLinuxOptions?: SELinuxOptions | undefined;
  readonly seccompProfile?: SeccompProfile | undefined;
  readonly supplementalGroups?: readonly number[] | undefined;
  readonly supplementalGroupsPolicy?: 'Merge' | 'Strict' | undefined;
  readonly sysctls?: readonly Sysctl[] | undefined;
  readonly windowsOptions?: WindowsSecurityContextOptions | undefined;
}

/** Kubernetes' PodSpec (core.v1). */
export interface PodSpec {
  readonly activeDeadlineSeconds?: number | undefined;
  readonly affinity?: Affinity | undefined;
  readonly automountServiceAccountToken?: boolean | undefined;
  readonly containers: readonly Container[];
  readonly dnsConfig?: PodDNSConfig | undefined;
  readonly dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None' | undefined;
  readonly enableServiceLinks?: boolean | undefined;
  readonly ephemeralContainers?: readonly EphemeralContainer[] | undefined;
  readonly hostAliases?: readonly HostAlias[] | undefined;
  readonly hostIPC?: boolean | undefined;
  readonly hostNetwork?: boolean | undefined;
  readonly hostPID?: boolean | undefined;
  readonly hostUsers?: boolean | undefined;
  readonly hostname?: string | undefined;
  readonly hostnameOverride?: string | undefined;
  readonly imagePullSecrets?: readonly LocalObjectReference[] | undefined;
  readonly initContainers?: readonly Container[] | undefined;
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  readonly os?: PodOS | undefined;
  readonly overhead?: Readonly<Record<string, Quantity>> | undefined;
  readonly preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
  readonly priority?: number | undefined;
  readonly priorityClassName?: string | undefined;
  readonly readinessGates?: readonly PodReadinessGate[] | undefined;
  readonly resourceClaims?: readonly PodResourceClaim[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: 'Always' | 'Never' | 'OnFailure' | undefined;
  readonly runtimeClassName?: string | undefined;
  readonly schedulerName?: string | undefined;
  readonly schedulingGates?: readonly PodSchedulingGate[] | undefined;
  readonly schedulingGroup?: PodSchedulingGroup | undefined;
  readonly securityContext?: PodSecurityContext | undefined;
  readonly serviceAccount?: string | undefined;
  readonly serviceAccountName?: string | undefined;
  readonly setHostnameAsFQDN?: boolean | undefined;
  readonly shareProcessNamespace?: boolean | undefined;
  readonly subdomain?: string | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly tolerations?: readonly Toleration[] | undefined;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[] | undefined;
  readonly volumes?: readonly Volume[] | undefined;
}

/** Kubernetes' PodStatus (core.v1). */
export interface PodStatus {
  readonly allocatedResources?: Readonly<Record<string, Quantity>> | undefined;
  readonly conditions?: readonly PodCondition[] | undefined;
  readonly containerStatuses?: readonly ContainerStatus[] | undefined;
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[] | undefined;
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;
  readonly hostIP?: string | undefined;
  readonly hostIPs?: readonly HostIP[] | undefined;
  readonly initContainerStatuses?: readonly ContainerStatus[] | undefined;
  readonly message?: string | undefined;
  readonly nodeAllocatableResourceClaimStatuses?: readonly NodeAllocatableResourceClaimStatus[] | undefined;
  readonly nominatedNodeName?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly phase?: 'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown' | undefined;
  readonly podIP?: string | undefined;
  readonly podIPs?: readonly PodIP[] | undefined;
  readonly qosClass?: 'BestEffort' | 'Burstable' | 'Guaranteed' | undefined;
  readonly reason?: string | undefined;
  readonly resize?: string | undefined;
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly startTime?: string | undefined;
}

/** Kubernetes' PodTemplateSpec (core.v1). */
export interface PodTemplateSpec {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: PodSpec | undefined;
}

/** Kubernetes' PodsMetricSource (autoscaling.v2). */
export interface PodsMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

/** Kubernetes' PodsMetricStatus (autoscaling.v2). */
export interface PodsMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}

/** Kubernetes' PolicyRule (rbac.v1). */
export interface PolicyRule {
  readonly apiGroups?: readonly string[] | undefined;
  readonly nonResourceURLs?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly verbs: readonly string[];
}

/** Kubernetes' PortStatus (core.v1). */
export interface PortStatus {
  readonly error?: string | undefined;
  readonly port: number;
  readonly protocol: 'SCTP' | 'TCP' | 'UDP';
}

/** Kubernetes' PortworxVolumeSource (core.v1). */
export interface PortworxVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeID: string;
}

/** Kubernetes' PreferredSchedulingTerm (core.v1). */
export interface PreferredSchedulingTerm {
  readonly preference: NodeSelectorTerm;
  readonly weight: number;
}

/** Kubernetes' PriorityClass (scheduling.v1). */
export interface PriorityClass {
  readonly apiVersion: 'scheduling.k8s.io/v1';
  readonly description?: string | undefined;
  readonly globalDefault?: boolean | undefined;
  readonly kind: 'PriorityClass';
  readonly metadata: ObjectMeta;
  readonly preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
  readonly value?: number | undefined;
}

/** Kubernetes' Probe (core.v1). */
export interface Probe {
  readonly exec?: ExecAction | undefined;
  readonly failureThreshold?: number | undefined;
  readonly grpc?: GRPCAction | undefined;
  readonly httpGet?: HTTPGetAction | undefined;
  readonly initialDelaySeconds?: number | undefined;
  readonly periodSeconds?: number | undefined;
  readonly successThreshold?: number | undefined;
  readonly tcpSocket?: TCPSocketAction | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
}

/** Kubernetes' ProjectedVolumeSource (core.v1). */
export interface ProjectedVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly sources?: readonly VolumeProjection[] | undefined;
}

/** Kubernetes' QuobyteVolumeSource (core.v1). */
export interface QuobyteVolumeSource {
  readonly group?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly registry: string;
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
  readonly volume: string;
}

/** Kubernetes' RBDVolumeSource (core.v1). */
export interface RBDVolumeSource {
  readonly fsType?: string | undefined;
  readonly image: string;
  readonly keyring?: string | undefined;
  readonly monitors: readonly string[];
  readonly pool?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly user?: string | undefined;
}

/** Kubernetes' ResourceClaim (core.v1). */
export interface ResourceClaim {
  readonly name: string;
  readonly request?: string | undefined;
}

/** Kubernetes' ResourceFieldSelector (core.v1). */
export interface ResourceFieldSelector {
  readonly containerName?: string | undefined;
  readonly divisor?: Quantity | undefined;
  readonly resource: string;
}

/** Kubernetes' ResourceHealth (core.v1). */
export interface ResourceHealth {
  readonly health?: string | undefined;
  readonly message?: string | undefined;
  readonly resourceID: string;
}

/** Kubernetes' ResourceMetricSource (autoscaling.v2). */
export interface ResourceMetricSource {
  readonly name: string;
  readonly target: MetricTarget;
}

/** Kubernetes' ResourceMetricStatus (autoscaling.v2). */
export interface ResourceMetricStatus {
  readonly current: MetricValueStatus;
  readonly name: string;
}

/** Kubernetes' ResourceQuota (core.v1). */
export interface ResourceQuota {
  readonly apiVersion: 'v1';
  readonly kind: 'ResourceQuota';
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceQuotaSpec | undefined;
  readonly status?: ResourceQuotaStatus | undefined;
}

/** Kubernetes' ResourceQuotaSpec (core.v1). */
export interface ResourceQuotaSpec {
  readonly hard?: Readonly<Record<string, Quantity>> | undefined;
  readonly scopeSelector?: ScopeSelector | undefined;
  readonly scopes?:
    | readonly (
        | 'BestEffort'
        | 'CrossNamespacePodAffinity'
        | 'NotBestEffort'
        | 'NotTerminating'
        | 'PriorityClass'
        | 'Terminating'
        | 'VolumeAttributesClass'
      )[]
    | undefined;
}

/** Kubernetes' ResourceQuotaStatus (core.v1). */
export interface ResourceQuotaStatus {
  readonly hard?: Readonly<Record<string, Quantity>> | undefined;
  readonly used?: Readonly<Record<string, Quantity>> | undefined;
}

/** Kubernetes' ResourceRequirements (core.v1). */
export interface ResourceRequirements {
  readonly claims?: readonly ResourceClaim[] | undefined;
  readonly limits?: Readonly<Record<string, Quantity>> | undefined;
  readonly requests?: Readonly<Record<string, Quantity>> | undefined;
}

/** Kubernetes' ResourceStatus (core.v1). */
export interface ResourceStatus {
  readonly name: string;
  readonly resources?: readonly ResourceHealth[] | undefined;
}

/** Kubernetes' Role (rbac.v1). */
export interface Role {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'Role';
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | undefined;
}

/** Kubernetes' RoleBinding (rbac.v1). */
export interface RoleBinding {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'RoleBinding';
  readonly metadata: ObjectMeta;
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[] | undefined;
}

/** Kubernetes' RoleRef (rbac.v1). */
export interface RoleRef {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

/** Kubernetes' RollingUpdateDaemonSet (apps.v1). */
export interface RollingUpdateDaemonSet {
  readonly maxSurge?: IntOrString | undefined;
  readonly maxUnavailable?: IntOrString | undefined;
}

/** Kubernetes' RollingUpdateDeployment (apps.v1). */
export interface RollingUpdateDeployment {
  readonly maxSurge?: IntOrString | undefined;
  readonly maxUnavailable?: IntOrString | undefined;
}

/** Kubernetes' RollingUpdateStatefulSetStrategy (apps.v1). */
export interface RollingUpdateStatefulSetStrategy {
  readonly maxUnavailable?: IntOrString | undefined;
  readonly partition?: number | undefined;
}

/** Kubernetes' SELinuxOptions (core.v1). */
export interface SELinuxOptions {
  readonly level?: string | undefined;
  readonly role?: string | undefined;
  readonly type?: string | undefined;
  readonly user?: string | undefined;
}

/** Kubernetes' ScaleIOVolumeSource (core.v1). */
export interface ScaleIOVolumeSource {
  readonly fsType?: string | undefined;
  readonly gateway: string;
  readonly protectionDomain?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef: LocalObjectReference;
  readonly sslEnabled?: boolean | undefined;
  readonly storageMode?: string | undefined;
  readonly storagePool?: string | undefined;
  readonly system: string;
  readonly volumeName?: string | undefined;
}

/** Kubernetes' ScopeSelector (core.v1). */
export interface ScopeSelector {
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[] | undefined;
}

/** Kubernetes' ScopedResourceSelectorRequirement (core.v1). */
export interface ScopedResourceSelectorRequirement {
  readonly operator: 'DoesNotExist' | 'Exists' | 'In' | 'NotIn';
  readonly scopeName:
    | 'BestEffort'
    | 'CrossNamespacePodAffinity'
    | 'NotBestEffort'
    | 'NotTerminating'
    | 'PriorityClass'
    | 'Terminating'
    | 'VolumeAttributesClass';
  readonly values?: readonly string[] | undefined;
}

/** Kubernetes' SeccompProfile (core.v1). */
export interface SeccompProfile {
  readonly localhostProfile?: string | undefined;
  readonly type: 'Localhost' | 'RuntimeDefault' | 'Unconfined';
}

/** Kubernetes' Secret (core.v1). */
export interface Secret {
  readonly apiVersion: 'v1';
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly immutable?: boolean | undefined;
  readonly kind: 'Secret';
  readonly metadata: ObjectMeta;
  readonly stringData?: Readonly<Record<string, string>> | undefined;
  readonly type?: string | undefined;
}

/** Kubernetes' SecretEnvSource (core.v1). */
export interface SecretEnvSource {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** Kubernetes' SecretKeySelector (core.v1). */
export interface SecretKeySelector {
  readonly key: string;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** Kubernetes' SecretProjection (core.v1). */
export interface SecretProjection {
  readonly items?: readonly KeyToPath[] | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** Kubernetes' SecretVolumeSource (core.v1). */
export interface SecretVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly optional?: boolean | undefined;
  readonly secretName?: string | undefined;
}

/** Kubernetes' SecurityContext (core.v1). */
export interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean | undefined;
  readonly appArmorProfile?: AppArmorProfile | undefined;
  readonly capabilities?: Capabilities | undefined;
  readonly privileged?: boolean | undefined;
  readonly procMount?: 'Default' | 'Unmasked' | undefined;
  readonly readOnlyRootFilesystem?: boolean | undefined;
  readonly runAsGroup?: number | undefined;
  readonly runAsNonRoot?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly seLinuxOptions?: SELinuxOptions | undefined;
  readonly seccompProfile?: SeccompProfile | undefined;
  readonly windowsOptions?: WindowsSecurityContextOptions | undefined;
}

/** Kubernetes' SelectableField (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface SelectableField {
  readonly jsonPath: string;
}

/** Kubernetes' Service (core.v1). */
export interface Service {
  readonly apiVersion: 'v1';
  readonly kind: 'Service';
  readonly metadata: ObjectMeta;
  readonly spec?: ServiceSpec | undefined;
  readonly status?: ServiceStatus | undefined;
}

/** Kubernetes' ServiceAccount (core.v1). */
export interface ServiceAccount {
  readonly apiVersion: 'v1';
  readonly automountServiceAccountToken?: boolean | undefined;
  readonly imagePullSecrets?: readonly LocalObjectReference[] | undefined;
  readonly kind: 'ServiceAccount';
  readonly metadata: ObjectMeta;
  readonly secrets?: readonly ObjectReference[] | undefined;
}

/** Kubernetes' ServiceAccountTokenProjection (core.v1). */
export interface ServiceAccountTokenProjection {
  readonly audience?: string | undefined;
  readonly expirationSeconds?: number | undefined;
  readonly path: string;
}

/** Kubernetes' ServiceBackendPort (networking.v1). */
export interface ServiceBackendPort {
  readonly name?: string | undefined;
  readonly number?: number | undefined;
}

/** Kubernetes' ServicePort (core.v1). */
export interface ServicePort {
  readonly appProtocol?: string | undefined;
  readonly name?: string | undefined;
  readonly nodePort?: number | undefined;
  readonly port: number;
  readonly protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
  readonly targetPort?: IntOrString | undefined;
}

/** Kubernetes' ServiceReference (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface ServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string | undefined;
  readonly port?: number | undefined;
}

/** Kubernetes' ServiceSpec (core.v1). */
export interface ServiceSpec {
  readonly allocateLoadBalancerNodePorts?: boolean | undefined;
  readonly clusterIP?: string | undefined;
  readonly clusterIPs?: readonly string[] | undefined;
  readonly externalIPs?: readonly string[] | undefined;
  readonly externalName?: string | undefined;
  readonly externalTrafficPolicy?: 'Cluster' | 'Local' | undefined;
  readonly healthCheckNodePort?: number | undefined;
  readonly internalTrafficPolicy?: 'Cluster' | 'Local' | undefined;
  readonly ipFamilies?: readonly ('IPv4' | 'IPv6')[] | undefined;
  readonly ipFamilyPolicy?: 'PreferDualStack' | 'RequireDualStack' | 'SingleStack' | undefined;
  readonly loadBalancerClass?: string | undefined;
  readonly loadBalancerIP?: string | undefined;
  readonly loadBalancerSourceRanges?: readonly string[] | undefined;
  readonly ports?: readonly ServicePort[] | undefined;
  readonly publishNotReadyAddresses?: boolean | undefined;
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly sessionAffinity?: 'ClientIP' | 'None' | undefined;
  readonly sessionAffinityConfig?: SessionAffinityConfig | undefined;
  readonly trafficDistribution?: string | undefined;
  readonly type?: 'ClusterIP' | 'ExternalName' | 'LoadBalancer' | 'NodePort' | undefined;
}

/** Kubernetes' ServiceStatus (core.v1). */
export interface ServiceStatus {
  readonly conditions?: readonly Condition[] | undefined;
  readonly loadBalancer?: LoadBalancerStatus | undefined;
}

/** Kubernetes' SessionAffinityConfig (core.v1). */
export interface SessionAffinityConfig {
  readonly clientIP?: ClientIPConfig | undefined;
}

/** Kubernetes' SleepAction (core.v1). */
export interface SleepAction {
  readonly seconds: number;
}

/** Kubernetes' StatefulSet (apps.v1). */
export interface StatefulSet {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'StatefulSet';
  readonly metadata: ObjectMeta;
  readonly spec?: StatefulSetSpec | undefined;
  readonly status?: StatefulSetStatus | undefined;
}

/** Kubernetes' StatefulSetCondition (apps.v1). */
export interface StatefulSetCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

/** Kubernetes' StatefulSetOrdinals (apps.v1). */
export interface StatefulSetOrdinals {
  readonly start?: number | undefined;
}

/** Kubernetes' StatefulSetPersistentVolumeClaimRetentionPolicy (apps.v1). */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string | undefined;
  readonly whenScaled?: string | undefined;
}

/** Kubernetes' StatefulSetSpec (apps.v1). */
export interface StatefulSetSpec {
  readonly minReadySeconds?: number | undefined;
  readonly ordinals?: StatefulSetOrdinals | undefined;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined;
  readonly podManagementPolicy?: 'OrderedReady' | 'Parallel' | undefined;
  readonly replicas?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly selector: LabelSelector;
  readonly serviceName?: string | undefined;
  readonly template: PodTemplateSpec;
  readonly updateStrategy?: StatefulSetUpdateStrategy | undefined;
  readonly volumeClaimTemplates?: readonly EmbeddedPersistentVolumeClaim[] | undefined;
}

/** Kubernetes' StatefulSetStatus (apps.v1). */
export interface StatefulSetStatus {
  readonly availableReplicas?: number | undefined;
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly StatefulSetCondition[] | undefined;
  readonly currentReplicas?: number | undefined;
  readonly currentRevision?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas: number;
  readonly updateRevision?: string | undefined;
  readonly updatedReplicas?: number | undefined;
}

/** Kubernetes' StatefulSetUpdateStrategy (apps.v1). */
export interface StatefulSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy | undefined;
  readonly type?: 'OnDelete' | 'RollingUpdate' | undefined;
}

/** Kubernetes' StorageOSVolumeSource (core.v1). */
export interface StorageOSVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly volumeName?: string | undefined;
  readonly volumeNamespace?: string | undefined;
}

/** Kubernetes' Subject (rbac.v1). */
export interface Subject {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Kubernetes' SuccessPolicy (batch.v1). */
export interface SuccessPolicy {
  readonly rules: readonly SuccessPolicyRule[];
}

/** Kubernetes' SuccessPolicyRule (batch.v1). */
export interface SuccessPolicyRule {
  readonly succeededCount?: number | undefined;
  readonly succeededIndexes?: string | undefined;
}

/** Kubernetes' Sysctl (core.v1). */
export interface Sysctl {
  readonly name: string;
  readonly value: string;
}

/** Kubernetes' TCPSocketAction (core.v1). */
export interface TCPSocketAction {
  readonly host?: string | undefined;
  readonly port: IntOrString;
}

/** Kubernetes' Toleration (core.v1). */
export interface Toleration {
  readonly effect?: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule' | undefined;
  readonly key?: string | undefined;
  readonly operator?: 'Equal' | 'Exists' | 'Gt' | 'Lt' | undefined;
  readonly tolerationSeconds?: number | undefined;
  readonly value?: string | undefined;
}

/** Kubernetes' TopologySpreadConstraint (core.v1). */
export interface TopologySpreadConstraint {
  readonly labelSelector?: LabelSelector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly maxSkew: number;
  readonly minDomains?: number | undefined;
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore' | undefined;
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore' | undefined;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
}

/** Kubernetes' TypeChecking (admissionregistration.v1). */
export interface TypeChecking {
  readonly expressionWarnings?: readonly ExpressionWarning[] | undefined;
}

/** Kubernetes' TypedLocalObjectReference (core.v1). */
export interface TypedLocalObjectReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

/** Kubernetes' TypedObjectReference (core.v1). */
export interface TypedObjectReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Kubernetes' UncountedTerminatedPods (batch.v1). */
export interface UncountedTerminatedPods {
  readonly failed?: readonly string[] | undefined;
  readonly succeeded?: readonly string[] | undefined;
}

/** Kubernetes' ValidatingAdmissionPolicy (admissionregistration.v1). */
export interface ValidatingAdmissionPolicy {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingAdmissionPolicy';
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicySpec | undefined;
  readonly status?: ValidatingAdmissionPolicyStatus | undefined;
}

/** Kubernetes' ValidatingAdmissionPolicyBinding (admissionregistration.v1). */
export interface ValidatingAdmissionPolicyBinding {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingAdmissionPolicyBinding';
  readonly metadata: ObjectMeta;
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

/** Kubernetes' ValidatingAdmissionPolicyBindingSpec (admissionregistration.v1). */
export interface ValidatingAdmissionPolicyBindingSpec {
  readonly matchResources?: MatchResources | undefined;
  readonly paramRef?: ParamRef | undefined;
  readonly policyName: string;
  readonly validationActions: readonly ('Audit' | 'Deny' | 'Warn')[];
}

/** Kubernetes' ValidatingAdmissionPolicySpec (admissionregistration.v1). */
export interface ValidatingAdmissionPolicySpec {
  readonly auditAnnotations?: readonly AuditAnnotation[] | undefined;
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly matchConstraints?: MatchResources | undefined;
  readonly paramKind?: ParamKind | undefined;
  readonly validations?: readonly Validation[] | undefined;
  readonly variables?: readonly Variable[] | undefined;
}

/** Kubernetes' ValidatingAdmissionPolicyStatus (admissionregistration.v1). */
export interface ValidatingAdmissionPolicyStatus {
  readonly conditions?: readonly Condition[] | undefined;
  readonly observedGeneration?: number | undefined;
  readonly typeChecking?: TypeChecking | undefined;
}

/** Kubernetes' Validation (admissionregistration.v1). */
export interface Validation {
  readonly expression: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: string | undefined;
}

/** Kubernetes' Variable (admissionregistration.v1). */
export interface Variable {
  readonly expression: string;
  readonly name: string;
}

/** Kubernetes' Volume (core.v1). */
export interface Volume {
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  readonly azureDisk?: AzureDiskVolumeSource | undefined;
  readonly azureFile?: AzureFileVolumeSource | undefined;
  readonly cephfs?: CephFSVolumeSource | undefined;
  readonly cinder?: CinderVolumeSource | undefined;
  readonly configMap?: ConfigMapVolumeSource | undefined;
  readonly csi?: CSIVolumeSource | undefined;
  readonly downwardAPI?: DownwardAPIVolumeSource | undefined;
  readonly emptyDir?: EmptyDirVolumeSource | undefined;
  readonly ephemeral?: EphemeralVolumeSource | undefined;
  readonly fc?: FCVolumeSource | undefined;
  readonly flexVolume?: FlexVolumeSource | undefined;
  readonly flocker?: FlockerVolumeSource | undefined;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  readonly gitRepo?: GitRepoVolumeSource | undefined;
  readonly glusterfs?: GlusterfsVolumeSource | undefined;
  readonly hostPath?: HostPathVolumeSource | undefined;
  readonly image?: ImageVolumeSource | undefined;
  readonly iscsi?: ISCSIVolumeSource | undefined;
  readonly name: string;
  readonly nfs?: NFSVolumeSource | undefined;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  readonly portworxVolume?: PortworxVolumeSource | undefined;
  readonly projected?: ProjectedVolumeSource | undefined;
  readonly quobyte?: QuobyteVolumeSource | undefined;
  readonly rbd?: RBDVolumeSource | undefined;
  readonly scaleIO?: ScaleIOVolumeSource | undefined;
  readonly secret?: SecretVolumeSource | undefined;
  readonly storageos?: StorageOSVolumeSource | undefined;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}

/** Kubernetes' VolumeDevice (core.v1). */
export interface VolumeDevice {
  readonly devicePath: string;
  readonly name: string;
}

/** Kubernetes' VolumeMount (core.v1). */
export interface VolumeMount {
  readonly mountPath: string;
  readonly mountPropagation?: 'Bidirectional' | 'HostToContainer' | 'None' | undefined;
  readonly name: string;
  readonly readOnly?: boolean | undefined;
  readonly recursiveReadOnly?: string | undefined;
  readonly subPath?: string | undefined;
  readonly subPathExpr?: string | undefined;
}

/** Kubernetes' VolumeMountStatus (core.v1). */
export interface VolumeMountStatus {
  readonly mountPath: string;
  readonly name: string;
  readonly readOnly?: boolean | undefined;
  readonly recursiveReadOnly?: string | undefined;
  readonly volumeStatus?: VolumeStatus | undefined;
}

/** Kubernetes' VolumeProjection (core.v1). */
export interface VolumeProjection {
  readonly clusterTrustBundle?: ClusterTrustBundleProjection | undefined;
  readonly configMap?: ConfigMapProjection | undefined;
  readonly downwardAPI?: DownwardAPIProjection | undefined;
  readonly podCertificate?: PodCertificateProjection | undefined;
  readonly secret?: SecretProjection | undefined;
  readonly serviceAccountToken?: ServiceAccountTokenProjection | undefined;
}

/** Kubernetes' VolumeResourceRequirements (core.v1). */
export interface VolumeResourceRequirements {
  readonly limits?: Readonly<Record<string, Quantity>> | undefined;
  readonly requests?: Readonly<Record<string, Quantity>> | undefined;
}

/** Kubernetes' VolumeStatus (core.v1). */
export interface VolumeStatus {
  readonly image?: ImageVolumeStatus | undefined;
}

/** Kubernetes' VsphereVirtualDiskVolumeSource (core.v1). */
export interface VsphereVirtualDiskVolumeSource {
  readonly fsType?: string | undefined;
  readonly storagePolicyID?: string | undefined;
  readonly storagePolicyName?: string | undefined;
  readonly volumePath: string;
}

/** Kubernetes' WebhookClientConfig (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface WebhookClientConfig {
  readonly caBundle?: string | undefined;
  readonly service?: ServiceReference | undefined;
  readonly url?: string | undefined;
}

/** Kubernetes' WebhookConversion (apiextensions-apiserver.pkg.apis.apiextensions.v1). */
export interface WebhookConversion {
  readonly clientConfig?: WebhookClientConfig | undefined;
  readonly conversionReviewVersions: readonly string[];
}

/** Kubernetes' WeightedPodAffinityTerm (core.v1). */
export interface WeightedPodAffinityTerm {
  readonly podAffinityTerm: PodAffinityTerm;
  readonly weight: number;
}

/** Kubernetes' WindowsSecurityContextOptions (core.v1). */
export interface WindowsSecurityContextOptions {
  readonly gmsaCredentialSpec?: string | undefined;
  readonly gmsaCredentialSpecName?: string | undefined;
  readonly hostProcess?: boolean | undefined;
  readonly runAsUserName?: string | undefined;
}
