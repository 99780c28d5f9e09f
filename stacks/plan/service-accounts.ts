import { platformAccounts } from './platform/platform-accounts';

/** Programs that call AWS as a role of their own, by the service account that they run under. */
export const cloudAccounts = {
  ...platformAccounts,
  'drain-consumer': { namespace: 'kube-system', name: 'drain-consumer' },
  'node-approver': { namespace: 'kube-system', name: 'node-approver' },
} as const;

/** A program that calls AWS. */
export type CloudAccount = keyof typeof cloudAccounts;
