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
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';

/** Names of the admission policies of the installation; those of a Platform are named after their kinds. */
const names = {
  /** Protects Projects, RuntimeProfiles and the Platform while they have workloads. */
  inUse: `in-use.${group}`,
  /** Protects Namespaces of Projects with workloads. */
  projectNamespace: `project-namespace.${group}`,
  /** Protects the RuntimeProfile that the Platform uses. */
  profileInForce: `profile-in-force.${group}`,
  /** Protects deployed workloads from deployments that a later one has superseded. */
  deploymentOrder: `deployment-order.${group}`,
} as const;

/** Returns the CEL condition that an object has no workloads. */
const none = (object: string) =>
  `!has(${object}.status) || !has(${object}.status.workloads) || ${object}.status.workloads == 0`;
/** Returns the CEL expression that formats the number of workloads. */
const count = (object: string) =>
  `string(${object}.status.workloads) + (${object}.status.workloads == 1 ? " workload" : " workloads")`;
const howToSee = 'kubectl get pinterest';
/** Hint of the messages: the count comes from the status, which may lag. */
const delay = '; the count may be a few seconds old; retry if none is left';

/**
 * Returns the admission policies that prevent deletion of resources with workloads; a finalizer would leave the object
 * terminating forever.
 */
export function protectionPolicies(): KubernetesObject[] {
  return [...inUse(), ...projectNamespace(), ...profileInForce(), ...deploymentOrder()];
}

function inUse(): KubernetesObject[] {
  const name = names.inUse;
  return [
    policy(name, {
      resourceRules: [
        onDelete(
          [group],
          [version],
          Object.values(platformKinds).map(({ plural }) => plural),
        ),
      ],
      validation: {
        expression: none('oldObject'),
        messageExpression: `oldObject.kind + " " + oldObject.metadata.name + " still has " + ${count('oldObject')} + ", which would be orphaned; delete or move them first ('${howToSee} -A' lists them${delay})"`,
        message: `still has workloads, which would be orphaned; delete or move them first ('${howToSee} -A' lists them${delay})`,
      },
    }),
    binding(name, {}),
  ];
}

/** Evaluated once per Project, because a Namespace does not know how many workloads it has. */
function projectNamespace(): KubernetesObject[] {
  const name = names.projectNamespace;
  return [
    policy(name, {
      paramKind: { apiVersion, kind: 'Project' },
      resourceRules: [onDelete([''], ['v1'], ['namespaces'])],
      // If the Project definition were missing, only namespaces that pinion manages would be blocked.
      objectSelector: { matchLabels: { [recommended.managedBy]: manager } },
      validation: {
        expression: `params.metadata.name != oldObject.metadata.name || ${none('params')}`,
        messageExpression: `"Project " + params.metadata.name + " still has " + ${count('params')} + " in this namespace; delete them first ('${howToSee} -n " + params.metadata.name + "' lists them${delay})"`,
        message: `its Project still has workloads; delete them first ('${howToSee}' lists them${delay})`,
      },
    }),
    binding(name, { paramRef: { selector: {}, parameterNotFoundAction: 'Allow' } }),
  ];
}

function profileInForce(): KubernetesObject[] {
  const name = names.profileInForce;
  return [
    policy(name, {
      paramKind: { apiVersion, kind: 'Platform' },
      resourceRules: [onDelete([group], [version], [platformKinds.RuntimeProfile.plural])],
      validation: {
        expression: 'params.spec.runtime.profile != oldObject.metadata.name',
        message: 'the Platform uses this RuntimeProfile; set its spec.runtime.profile to another one first',
      },
    }),
    binding(name, { paramRef: { name: 'cluster', parameterNotFoundAction: 'Allow' } }),
  ];
}

/**
 * The sequence number of a deployment must not decrease: a process that resumes after a later deployment has
 * superseded it is rejected. Clients that apply without a number are not affected.
 */
function deploymentOrder(): KubernetesObject[] {
  const name = names.deploymentOrder;
  const key = JSON.stringify(metadataKeys.deploymentSequence);
  const numbered = (object: string) =>
    `has(${object}.metadata.annotations) && ${key} in ${object}.metadata.annotations && ${object}.metadata.annotations[${key}].matches("^[0-9]{1,15}$")`;
  const number = (object: string) => `int(${object}.metadata.annotations[${key}])`;
  return [
    policy(name, {
      resourceRules: [
        {
          apiGroups: [group],
          apiVersions: [version],
          operations: ['UPDATE'],
          resources: Object.values(workloadKinds).map(({ plural }) => plural),
        },
      ],
      validation: {
        expression: `!(${numbered('oldObject')}) || !(${numbered('object')}) || ${number('object')} >= ${number('oldObject')}`,
        message: `a later deployment is already applied; ${metadataKeys.deploymentSequence} must not decrease`,
      },
    }),
    binding(name, {}),
  ];
}

const onDelete = (apiGroups: readonly string[], apiVersions: readonly string[], resources: readonly string[]) => ({
  apiGroups,
  apiVersions,
  operations: ['DELETE'],
  resources,
});

interface Guard {
  readonly paramKind?: object;
  readonly resourceRules: readonly object[];
  readonly objectSelector?: object;
  readonly validation: { readonly expression: string; readonly message: string; readonly messageExpression?: string };
}

const policy = (name: string, { paramKind, resourceRules, objectSelector, validation }: Guard): KubernetesObject =>
  draftObject(
    'ValidatingAdmissionPolicy',
    { name },
    {
      spec: {
        failurePolicy: 'Fail',
        ...(paramKind && { paramKind }),
        matchConstraints: { resourceRules, ...(objectSelector && { objectSelector }) },
        validations: [{ ...validation, reason: 'Forbidden' }],
      },
    },
  );

const binding = (name: string, params: object): KubernetesObject =>
  draftObject(
    'ValidatingAdmissionPolicyBinding',
    { name },
    { spec: { policyName: name, ...params, validationActions: ['Deny'] } },
  );
