import {
  apiVersion,
  group,
  metadataKeys,
  manager,
  platformKinds,
  recommended,
  version,
  workloadKinds,
} from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy, type ResourceRule } from './admission-policy';

/** Names of the admission policies of the installation; policies of the Platform are named after their kinds. */
const names = {
  /** Protects Projects, RuntimeProfiles and the Platform while they have workloads. */
  resourceInUse: `in-use.${group}`,
  /** Protects Namespaces of Projects with workloads. */
  projectNamespace: `project-namespace.${group}`,
  /** Protects the RuntimeProfile and the PlatformRevisions that the Platform uses. */
  profileInUse: `profile-in-force.${group}`,
  /** Protects deployed workloads from deployments that a later one has superseded. */
  deploymentOrder: `deployment-order.${group}`,
} as const;

/** Returns a CEL expression that is true for an object without workloads. */
const hasNoWorkloads = (object: string) =>
  `!has(${object}.status) || !has(${object}.status.workloads) || ${object}.status.workloads == 0`;
/** Returns a CEL expression that formats the number of workloads. */
const workloadCount = (object: string) =>
  `string(${object}.status.workloads) + (${object}.status.workloads == 1 ? " workload" : " workloads")`;
const listCommand = 'kubectl get pinterest';
/** Hint of the messages: the count comes from the status, which may lag. */
const delayHint = '; the count may be a few seconds old; retry if none is left';

/**
 * Creates the admission policies that prevent deletion of resources with workloads. Finalizers are no alternative: they
 * would leave the resource terminating forever.
 */
export function protectionPolicies(): KubernetesObject[] {
  return [...resourceInUse(), ...projectNamespace(), ...profileInUse(), ...deploymentOrder()];
}

function resourceInUse(): KubernetesObject[] {
  const name = names.resourceInUse;
  return admissionPolicy(name, {
    resourceRules: [
      onDelete(
        [group],
        [version],
        // A rollout counts workloads that it moves, but none depends on it.
        Object.values(platformKinds)
          .filter((kind) => kind !== platformKinds.PlatformRollout)
          .map(({ plural }) => plural),
      ),
    ],
    validations: [
      {
        expression: hasNoWorkloads('oldObject'),
        messageExpression: `oldObject.kind + " " + oldObject.metadata.name + " still has " + ${workloadCount('oldObject')} + ", which would be orphaned; delete or move them first ('${listCommand} -A' lists them${delayHint})"`,
        message: `still has workloads, which would be orphaned; delete or move them first ('${listCommand} -A' lists them${delayHint})`,
      },
    ],
  });
}

/** Evaluated once per Project, because the number of workloads is not in the Namespace. */
function projectNamespace(): KubernetesObject[] {
  const name = names.projectNamespace;
  return admissionPolicy(name, {
    paramKind: { apiVersion, kind: 'Project' },
    paramRef: { selector: {}, parameterNotFoundAction: 'Allow' },
    resourceRules: [onDelete([''], ['v1'], ['namespaces'])],
    // If the CRD of Project is missing, only namespaces that pinion manages are blocked.
    objectSelector: { matchLabels: { [recommended.managedBy]: manager } },
    validations: [
      {
        expression: `params.metadata.name != oldObject.metadata.name || ${hasNoWorkloads('params')}`,
        messageExpression: `"Project " + params.metadata.name + " still has " + ${workloadCount('params')} + " in this namespace; delete them first ('${listCommand} -n " + params.metadata.name + "' lists them${delayHint})"`,
        message: `its Project still has workloads; delete them first ('${listCommand}' lists them${delayHint})`,
      },
    ],
  });
}

function profileInUse(): KubernetesObject[] {
  const name = names.profileInUse;
  const [profiles, revisions] = [platformKinds.RuntimeProfile.plural, platformKinds.PlatformRevision.plural];
  return admissionPolicy(name, {
    paramKind: { apiVersion, kind: 'Platform' },
    paramRef: { name: 'cluster', parameterNotFoundAction: 'Allow' },
    resourceRules: [onDelete([group], [version], [profiles, revisions])],
    validations: [
      {
        expression: `request.resource.resource != "${profiles}" || params.spec.runtime.profile != oldObject.metadata.name`,
        message: 'the Platform uses this RuntimeProfile; set its spec.runtime.profile to another one first',
      },
      {
        expression: `request.resource.resource != "${revisions}" || !has(params.status) || !has(params.status.revisions) || !(oldObject.metadata.name in [params.status.revisions.current, params.status.revisions.completed])`,
        message: 'new workloads of the cluster get this PlatformRevision; wait until the Platform has another one',
      },
    ],
  });
}

/**
 * Rejects a decreasing deployment sequence number, so that a process that resumes late cannot overwrite a later
 * deployment. Clients that apply without a number are not affected.
 */
function deploymentOrder(): KubernetesObject[] {
  const name = names.deploymentOrder;
  const key = JSON.stringify(metadataKeys.deploymentSequence);
  const hasSequence = (object: string) =>
    `has(${object}.metadata.annotations) && ${key} in ${object}.metadata.annotations && ${object}.metadata.annotations[${key}].matches("^[0-9]{1,15}$")`;
  const sequenceOf = (object: string) => `int(${object}.metadata.annotations[${key}])`;
  return admissionPolicy(name, {
    resourceRules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        operations: ['UPDATE'],
        resources: Object.values(workloadKinds).map(({ plural }) => plural),
      },
    ],
    validations: [
      {
        expression: `!(${hasSequence('oldObject')}) || !(${hasSequence('object')}) || ${sequenceOf('object')} >= ${sequenceOf('oldObject')}`,
        message: `a later deployment is already applied; ${metadataKeys.deploymentSequence} must not decrease`,
      },
    ],
  });
}

const onDelete = (
  apiGroups: readonly string[],
  apiVersions: readonly string[],
  resources: readonly string[],
): ResourceRule => ({
  apiGroups,
  apiVersions,
  operations: ['DELETE'],
  resources,
});
