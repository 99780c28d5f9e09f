import { canaryProject, submissionName, submissionProject, quotaMonitorProject } from '@pinion-platform/pinion';
import { type PlatformStackConfig } from './platform-stack-config';
import { systemNamespace } from '../objects/plain-object';

/** Projects of the platform's components. */
export const platformProjects = {
  storage: 'platform-storage',
  scaling: 'platform-scaling',
  ingress: 'platform-ingress',
  observability: 'pinion-observability',
  quota: quotaMonitorProject,
  canary: canaryProject,
  submission: submissionProject,
} as const;

/** Service accounts with an IAM role. */
export const platformAccounts = {
  'cloud-controller-manager': { namespace: systemNamespace, name: 'cloud-controller-manager' },
  'cluster-autoscaler': { namespace: platformProjects.scaling, name: 'cluster-autoscaler' },
  'drain-consumer': { namespace: platformProjects.scaling, name: 'drain-consumer' },
  'ebs-csi-driver': { namespace: platformProjects.storage, name: 'ebs-csi-controller' },
  'external-dns': { namespace: platformProjects.ingress, name: 'external-dns' },
  'node-approver': { namespace: systemNamespace, name: 'node-approver' },
  submission: { namespace: platformProjects.submission, name: submissionName },
} as const satisfies Readonly<
  Record<keyof PlatformStackConfig['roles'], { readonly namespace: string; readonly name: string }>
>;

/** Program of the platform that calls AWS. */
export type CloudAccount = keyof typeof platformAccounts;
