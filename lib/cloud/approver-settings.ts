import { type Problem } from '../api';
import { type IdentityPolicy, usualIdentityPolicy } from '../operations';
import { Variables } from './variables';

/** What the node approver is told by its environment. */
export interface ApproverSettings {
  readonly region: string;
  /** Name of the cluster, by which its machines are tagged. */
  readonly cluster: string;
  /** Group of machines that have no certificate yet. */
  readonly bootstrapGroup: string;
  /** Namespace of the Lease by which one process decides. */
  readonly leaseNamespace: string;
  readonly policy: IdentityPolicy;
}

/** Reads AWS_REGION, CLUSTER, BOOTSTRAP_GROUP and LEASE_NAMESPACE, which must be there, and YOUTH and CLOUD_PATIENCE, which may; all that is wrong at once. */
export function readApproverSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: ApproverSettings } | { readonly problems: readonly Problem[] } {
  const variables = new Variables(environment);
  const settings = {
    region: variables.needed('AWS_REGION', "the region of the cluster's machines"),
    cluster: variables.needed('CLUSTER', 'the name of the cluster'),
    bootstrapGroup: variables.needed('BOOTSTRAP_GROUP', 'the group of machines that join'),
    leaseNamespace: variables.needed('LEASE_NAMESPACE', 'the namespace of the Lease'),
    policy: {
      youth: variables.duration('YOUTH', usualIdentityPolicy.youth),
      patience: variables.duration('CLOUD_PATIENCE', usualIdentityPolicy.patience),
    },
  };
  return variables.problems.length > 0 ? { problems: variables.problems } : { settings };
}
