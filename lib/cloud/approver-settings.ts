import { type Problem } from '../api';
import { type IdentityPolicy, defaultIdentityPolicy } from '../operations';
import { EnvReader } from './env-reader';

/** Settings of the node approver. */
export interface ApproverSettings {
  readonly region: string;
  /** Cluster name, the value of the cluster tag of its machines. */
  readonly cluster: string;
  /** Group of machines that have no certificate yet. */
  readonly bootstrapGroup: string;
  /** Namespace of the leader election Lease. */
  readonly leaseNamespace: string;
  readonly policy: IdentityPolicy;
}

/** Reads the required AWS_REGION, CLUSTER, BOOTSTRAP_GROUP and LEASE_NAMESPACE, and the optional MAX_INSTANCE_AGE and INSTANCE_LOOKUP_TIMEOUT. Returns all problems at once. */
export function readApproverSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: ApproverSettings } | { readonly problems: readonly Problem[] } {
  const variables = new EnvReader(environment);
  const settings = {
    region: variables.required('AWS_REGION', "the region of the cluster's machines"),
    cluster: variables.required('CLUSTER', 'the name of the cluster'),
    bootstrapGroup: variables.required('BOOTSTRAP_GROUP', 'the group of joining machines'),
    leaseNamespace: variables.required('LEASE_NAMESPACE', 'the namespace of the Lease'),
    policy: {
      maxInstanceAge: variables.duration('MAX_INSTANCE_AGE', defaultIdentityPolicy.maxInstanceAge),
      instanceLookupTimeout: variables.duration('INSTANCE_LOOKUP_TIMEOUT', defaultIdentityPolicy.instanceLookupTimeout),
    },
  };
  return variables.problems.length > 0 ? { problems: variables.problems } : { settings };
}
