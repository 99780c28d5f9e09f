import { type NativeKind } from '../native-kinds';
import type {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CronJob,
  CustomResourceDefinition,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  LimitRange,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  PriorityClass,
  ResourceQuota,
  Role,
  RoleBinding,
  Service,
  ServiceAccount,
  StatefulSet,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from './types.generated';

/** Types of the native kinds that pinion creates. */
interface NativeTypes {
  readonly Namespace: Namespace;
  readonly PriorityClass: PriorityClass;
  readonly CustomResourceDefinition: CustomResourceDefinition;
  readonly ResourceQuota: ResourceQuota;
  readonly LimitRange: LimitRange;
  readonly ServiceAccount: ServiceAccount;
  readonly ClusterRole: ClusterRole;
  readonly ClusterRoleBinding: ClusterRoleBinding;
  readonly Role: Role;
  readonly RoleBinding: RoleBinding;
  readonly ValidatingAdmissionPolicy: ValidatingAdmissionPolicy;
  readonly ValidatingAdmissionPolicyBinding: ValidatingAdmissionPolicyBinding;
  readonly NetworkPolicy: NetworkPolicy;
  readonly ConfigMap: ConfigMap;
  readonly PersistentVolumeClaim: PersistentVolumeClaim;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly Service: Service;
  readonly Deployment: Deployment;
  readonly StatefulSet: StatefulSet;
  readonly DaemonSet: DaemonSet;
  readonly Job: Job;
  readonly CronJob: CronJob;
  readonly HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  readonly Ingress: Ingress;
}

/** An object of a native kind that pinion creates; it has a name, and a spec if its kind has one. */
export type NativeObjectOf<K extends NativeKind = NativeKind> = K extends NativeKind
  ? NativeTypes[K] & { readonly metadata: { readonly name: string } } & ('spec' extends keyof NativeTypes[K]
        ? { readonly spec: NonNullable<NativeTypes[K]['spec']> }
        : unknown)
  : never;
