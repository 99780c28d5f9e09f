import { type Workload } from '../../api';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { derivedName } from './name';

/** Returns the name of a workload's service account. */
export const serviceAccountName = (workload: Workload): string => derivedName([workload.metadata.name]);

/** Creates the service account of a workload; only pods with apiAccess mount its token. */
export const serviceAccount = (workload: Workload): KubernetesObject =>
  draftObject('ServiceAccount', { name: serviceAccountName(workload) }, { automountServiceAccountToken: false });

/** Creates the Role and RoleBinding that let the pods of a workload elect a leader. */
export function leaderElection(workload: Workload): KubernetesObject[] {
  const name = derivedName([workload.metadata.name, 'leader']);
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  const rules = [
    { ...lease, verbs: ['create'] },
    { ...lease, resourceNames: [serviceAccountName(workload)], verbs: ['get', 'update', 'patch'] },
  ];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [
    { kind: 'ServiceAccount', name: serviceAccountName(workload), namespace: workload.metadata.namespace },
  ];
  return [draftObject('Role', { name }, { rules }), draftObject('RoleBinding', { name }, { roleRef, subjects })];
}
