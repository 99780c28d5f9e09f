/** Native kinds that pinion creates: apiVersion, plural, and their apply order. */
export const nativeKinds = {
  Namespace: { apiVersion: 'v1', plural: 'namespaces', namespaced: false },
  PriorityClass: { apiVersion: 'scheduling.k8s.io/v1', plural: 'priorityclasses', namespaced: false },
  CustomResourceDefinition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    plural: 'customresourcedefinitions',
    namespaced: false,
  },
  ResourceQuota: { apiVersion: 'v1', plural: 'resourcequotas', namespaced: true },
  LimitRange: { apiVersion: 'v1', plural: 'limitranges', namespaced: true },
  ServiceAccount: { apiVersion: 'v1', plural: 'serviceaccounts', namespaced: true },
  ClusterRole: { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'clusterroles', namespaced: false },
  ClusterRoleBinding: { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'clusterrolebindings', namespaced: false },
  Role: { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'roles', namespaced: true },
  RoleBinding: { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'rolebindings', namespaced: true },
  ValidatingAdmissionPolicy: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    plural: 'validatingadmissionpolicies',
    namespaced: false,
  },
  ValidatingAdmissionPolicyBinding: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    plural: 'validatingadmissionpolicybindings',
    namespaced: false,
  },
  NetworkPolicy: { apiVersion: 'networking.k8s.io/v1', plural: 'networkpolicies', namespaced: true },
  ConfigMap: { apiVersion: 'v1', plural: 'configmaps', namespaced: true },
  PersistentVolumeClaim: { apiVersion: 'v1', plural: 'persistentvolumeclaims', namespaced: true },
  PodDisruptionBudget: { apiVersion: 'policy/v1', plural: 'poddisruptionbudgets', namespaced: true },
  Service: { apiVersion: 'v1', plural: 'services', namespaced: true },
  Deployment: { apiVersion: 'apps/v1', plural: 'deployments', namespaced: true },
  StatefulSet: { apiVersion: 'apps/v1', plural: 'statefulsets', namespaced: true },
  DaemonSet: { apiVersion: 'apps/v1', plural: 'daemonsets', namespaced: true },
  Job: { apiVersion: 'batch/v1', plural: 'jobs', namespaced: true },
  CronJob: { apiVersion: 'batch/v1', plural: 'cronjobs', namespaced: true },
  HorizontalPodAutoscaler: { apiVersion: 'autoscaling/v2', plural: 'horizontalpodautoscalers', namespaced: true },
  Ingress: { apiVersion: 'networking.k8s.io/v1', plural: 'ingresses', namespaced: true },
} as const;

/** Name of a native kind that pinion creates. */
export type NativeKind = keyof typeof nativeKinds;
