/** Programs of the platform that call AWS as a role of their own, by the service account that they run under. */
export const cloudAccounts = {
  'cloud-controller-manager': { namespace: 'kube-system', name: 'cloud-controller-manager' },
  'cluster-autoscaler': { namespace: 'kube-system', name: 'cluster-autoscaler' },
  'drain-consumer': { namespace: 'kube-system', name: 'drain-consumer' },
  'ebs-csi-driver': { namespace: 'kube-system', name: 'ebs-csi-controller-sa' },
  'external-dns': { namespace: 'kube-system', name: 'external-dns' },
  'node-approver': { namespace: 'kube-system', name: 'node-approver' },
} as const;

/** A program of the platform that calls AWS. */
export type CloudAccount = keyof typeof cloudAccounts;
