import { canaryProject, submissionName, submissionProject, watchProject } from 'pinion';
import { type PlatformFacts } from './platform-facts';
import { systemNamespace } from './plain-object';

/** Projects of the platform's own parts; each is a namespace. */
export const platformProjects = {
  storage: 'platform-storage',
  scaling: 'platform-scaling',
  entrance: 'platform-entrance',
  observability: 'pinion-observability',
  quota: watchProject,
  canary: canaryProject,
  submission: submissionProject,
} as const;

/** Accounts of programs that act as a role of IAM, which has to trust just these. */
export const platformAccounts = {
  'cloud-controller-manager': { namespace: systemNamespace, name: 'cloud-controller-manager' },
  'cluster-autoscaler': { namespace: platformProjects.scaling, name: 'cluster-autoscaler' },
  'drain-consumer': { namespace: platformProjects.scaling, name: 'drain-consumer' },
  'ebs-csi-driver': { namespace: platformProjects.storage, name: 'ebs-csi-controller' },
  'external-dns': { namespace: platformProjects.entrance, name: 'external-dns' },
  'node-approver': { namespace: systemNamespace, name: 'node-approver' },
  submission: { namespace: platformProjects.submission, name: submissionName },
} as const satisfies Readonly<
  Record<keyof PlatformFacts['roles'], { readonly namespace: string; readonly name: string }>
>;

/** A program of the platform that calls AWS. */
export type CloudAccount = keyof typeof platformAccounts;
