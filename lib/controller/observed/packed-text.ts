import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { apiVersion, group, workloadKinds } from '../../api';

/**
 * Dictionary of phrases that are frequent in JSON of native objects; the most frequent are last, where they compress
 * best.
 */
const phrases = Buffer.from(
  [
    '"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain","whenScaled":"Retain"},"volumeClaimTemplates":[{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"',
    '"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"10Gi"}},"storageClassName":"","volumeMode":"Filesystem","volumeName":"pvc-',
    '{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","scaleTargetRef":{"minReplicas":,"maxReplicas":,"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}],"behavior":{"scaleUp":{"stabilizationWindowSeconds":0,"selectPolicy":"Max","policies":[{"type":"Percent","value":100,"periodSeconds":60},{"type":"Pods","value":4,"periodSeconds":60}]},"scaleDown":{',
    '{"apiVersion":"networking.k8s.io/v1","kind":"Ingress","spec":{"ingressClassName":"","rules":[{"host":"","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{"service":{"name":"","port":{"number":',
    '{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","spec":{"maxUnavailable":1,"minAvailable":1,"unhealthyPodEvictionPolicy":"AlwaysAllow"',
    '{"apiVersion":"batch/v1","kind":"CronJob","spec":{"schedule":"","timeZone":"","concurrencyPolicy":"Forbid","suspend":false,"jobTemplate":{"successfulJobsHistoryLimit":3,"failedJobsHistoryLimit":1',
    '{"apiVersion":"batch/v1","kind":"Job","spec":{"parallelism":1,"completions":1,"completionMode":"Indexed","backoffLimitPerIndex":,"backoffLimit":2147483647,"podReplacementPolicy":"TerminatingOrFailed","suspend":false,"manualSelector":false,"batch.kubernetes.io/controller-uid":"","batch.kubernetes.io/job-name":"',
    '"restartPolicy":"Never"',
    '{"apiVersion":"v1","kind":"ServiceAccount","automountServiceAccountToken":false',
    '{"apiVersion":"v1","kind":"Service","spec":{"clusterIP":"10.","clusterIPs":["10."],"type":"ClusterIP","sessionAffinity":"None","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","internalTrafficPolicy":"Cluster","ports":[{"name":"http","protocol":"TCP","port":80,"targetPort":8080}],"selector":{',
    '{"apiVersion":"v1","kind":"ConfigMap","immutable":true,"data":{"',
    '{"apiVersion":"apps/v1","kind":"StatefulSet","spec":{"serviceName":"","podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":0}},"revisionHistoryLimit":10',
    `"kind":"${Object.keys(workloadKinds).join('","kind":"')}"`,
    `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"","namespace":"","labels":{"annotations":{"deployment.kubernetes.io/revision":"1","ownerReferences":[{"apiVersion":"${apiVersion}","kind":"","name":"","uid":"","controller":true,"blockOwnerDeletion":true}]},"spec":{"replicas":3,"selector":{"matchLabels":{"${group}/kind":"","${group}/workload":"","template":{"metadata":{"creationTimestamp":null,"labels":{"app.kubernetes.io/managed-by":"pinion","app.kubernetes.io/name":"","app.kubernetes.io/part-of":"","app.kubernetes.io/version":"","${group}/team":"","${group}/tier":"standard","annotations":{"${group}/runtime-profile":"","${group}/image":"","${group}/cluster":"","${group}/environment":"production","${group}/owner":"`,
    '"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"minReadySeconds":0,"revisionHistoryLimit":10,"progressDeadlineSeconds":600',
    '"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"","operator":"In","values":["',
    '"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{',
    '"topologyKey":"kubernetes.io/hostname"',
    '"tolerations":[{"key":"","operator":"Equal","value":"","effect":"NoSchedule"}],"priorityClassName":"","enableServiceLinks":false,"hostNetwork":true,"imagePullSecrets":[{"name":"',
    '"volumes":[{"name":"","configMap":{"name":"","defaultMode":420}},{"name":"","emptyDir":{"sizeLimit":"1Gi"}},{"name":"","hostPath":{"path":"","type":""}},{"projected":{"sources":[{"serviceAccountToken":{"audience":"sts.amazonaws.com","expirationSeconds":86400,"path":"token"}}],"defaultMode":420}},{"secret":{"secretName":"',
    '"initContainers":[{"name":"pinion-',
    '"restartPolicy":"Always","dnsPolicy":"ClusterFirst","schedulerName":"default-scheduler","terminationGracePeriodSeconds":30,"serviceAccountName":"","serviceAccount":"","automountServiceAccountToken":false,"securityContext":{"runAsNonRoot":true,"runAsUser":65532,"fsGroup":65532,"seccompProfile":{"type":"RuntimeDefault"}}',
    '"startupProbe":{"failureThreshold":30,"livenessProbe":{"tcpSocket":{"port":"grpc":{"exec":{"command":["/bin/sh","-c","lifecycle":{"preStop":{"sleep":{"seconds":',
    '"readinessProbe":{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},"initialDelaySeconds":5,"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}',
    '"env":[{"name":"PINION_","value":""},{"name":"","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.annotations[\'metadata.labels[\'metadata.name","fieldPath":"metadata.namespace","fieldPath":"status.podIP","fieldPath":"spec.nodeName"}}},{"valueFrom":{"secretKeyRef":{"name":"","key":"',
    '"containers":[{"name":"app","image":"registry.example.com/","args":["--","command":["ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}],"resources":{"limits":{"memory":"256Mi"},"requests":{"cpu":"100m","memory":"128Mi"}},"volumeMounts":[{"name":"","readOnly":true,"mountPath":"/etc/","subPath":""}]',
    '"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent","securityContext":{"capabilities":{"drop":["ALL"]},"readOnlyRootFilesystem":true,"allowPrivilegeEscalation":false}}',
  ].join(''),
);

const options = { level: 1, dictionary: phrases };

/** Compresses JSON of a native object to about a fifth, one byte per character, without a separate buffer. */
export const packText = (text: string): string => deflateRawSync(text, options).toString('latin1');

/** Decompresses a string. */
export const unpackText = (packed: string): string =>
  inflateRawSync(Buffer.from(packed, 'latin1'), { dictionary: phrases }).toString();
