import { type NativeKind } from '../../api';
import { type ControllerScope } from './controller-identities';

/**
 * Access of a controller to a native kind: `full` to read, write and delete; `named` to read all objects, but write
 * only a fixed set of names; `write` to read and write, but not delete.
 */
export type KindAccess = 'full' | 'named' | 'write' | 'read' | 'none';

/**
 * Access of the controller of workloads to each native kind; a new kind does not compile without an entry. It compares the
 * admission policies with those of its version.
 */
const workloadAccess = {
  Namespace: 'none',
  PriorityClass: 'none',
  CustomResourceDefinition: 'none',
  ResourceQuota: 'none',
  LimitRange: 'none',
  ServiceAccount: 'full',
  ClusterRole: 'none',
  ClusterRoleBinding: 'none',
  Role: 'full',
  RoleBinding: 'full',
  ValidatingAdmissionPolicy: 'read',
  ValidatingAdmissionPolicyBinding: 'read',
  NetworkPolicy: 'full',
  ConfigMap: 'full',
  PersistentVolumeClaim: 'full',
  PodDisruptionBudget: 'full',
  Service: 'full',
  Deployment: 'full',
  StatefulSet: 'full',
  DaemonSet: 'full',
  Job: 'full',
  CronJob: 'full',
  HorizontalPodAutoscaler: 'full',
  Ingress: 'full',
} as const satisfies Record<NativeKind, KindAccess>;

/** Access of the controller of Projects and the Platform; ConfigMaps contain the report of the canary. */
const platformAccess = {
  Namespace: 'write',
  PriorityClass: 'full',
  CustomResourceDefinition: 'none',
  ResourceQuota: 'full',
  LimitRange: 'full',
  ServiceAccount: 'full',
  ClusterRole: 'none',
  ClusterRoleBinding: 'none',
  Role: 'none',
  RoleBinding: 'full',
  ValidatingAdmissionPolicy: 'named',
  ValidatingAdmissionPolicyBinding: 'named',
  NetworkPolicy: 'none',
  ConfigMap: 'read',
  PersistentVolumeClaim: 'none',
  PodDisruptionBudget: 'none',
  Service: 'none',
  Deployment: 'none',
  StatefulSet: 'none',
  DaemonSet: 'none',
  Job: 'none',
  CronJob: 'none',
  HorizontalPodAutoscaler: 'none',
  Ingress: 'none',
} as const satisfies Record<NativeKind, KindAccess>;

/** Access of each scope to each native kind. */
export const kindAccess: Readonly<Record<ControllerScope, Readonly<Record<NativeKind, KindAccess>>>> = {
  workloads: workloadAccess,
  platform: platformAccess,
};

/** Lists the native kinds that a controller creates or reads, and therefore watches. */
export const childKindsOf = (scopes: readonly ControllerScope[]): readonly string[] =>
  (Object.keys(workloadAccess) as NativeKind[]).filter((kind) =>
    scopes.some((scope) => kindAccess[scope][kind] !== 'none'),
  );
