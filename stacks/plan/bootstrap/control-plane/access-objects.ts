import { type OidcAuthentication } from './control-plane-spec';

/** Group of machines with a bootstrap token, which may only request a certificate. */
export const bootstrapGroup = 'system:bootstrappers:pinion';

const rbac = 'rbac.authorization.k8s.io';

const binding = (name: string, role: string, groups: readonly string[]) => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
  subjects: groups.map((group) => ({ apiGroup: rbac, kind: 'Group', name: group })),
});

/** Grants cluster-admin to kubeadm's administrators and to the API server as a client of kubelets. */
export const administratorBinding: object = binding('kubeadm:cluster-admins', 'cluster-admin', [
  'kubeadm:cluster-admins',
]);

/**
 * Returns the RBAC objects that a new cluster needs before anything else is installed.
 *
 * No role approves a machine's first certificate or its serving certificates: an approver does, after it has verified
 * the identity of the machine with AWS. Only a node that has a certificate may renew it.
 */
export function accessObjects(oidc: OidcAuthentication): object[] {
  const { administrators, observers } = oidc;
  const observer = {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'pinion:observer' },
    rules: [{ nonResourceURLs: ['/metrics', '/metrics/*', '/debug/pprof', '/debug/pprof/*'], verbs: ['get'] }],
  };
  return [
    binding('pinion:node-bootstrapper', 'system:node-bootstrapper', [bootstrapGroup]),
    binding('pinion:node-renewal', 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient', [
      'system:nodes',
    ]),
    observer,
    ...(observers.length > 0 ? [binding('pinion:observers', 'pinion:observer', observers)] : []),
    ...(administrators.length > 0 ? [binding('pinion:administrators', 'cluster-admin', administrators)] : []),
  ];
}
