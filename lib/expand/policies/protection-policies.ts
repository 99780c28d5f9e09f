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

/** Names of the admission policies that come with the installation; those of a Platform are named after the kinds that they guard. */
const names = {
  /** Projects, RuntimeProfiles and the Platform while workloads belong to them. */
  inUse: `in-use.${group}`,
  /** Namespaces of Projects with workloads. */
  projectNamespace: `project-namespace.${group}`,
  /** The RuntimeProfile that the Platform names. */
  profileInForce: `profile-in-force.${group}`,
  /** Workloads that were deployed: a deployment that was overtaken never writes over its successor. */
  deploymentOrder: `deployment-order.${group}`,
} as const;

/** Whether an object counts no workloads. */
const none = (object: string) =>
  `!has(${object}.status) || !has(${object}.status.workloads) || ${object}.status.workloads == 0`;
/** How many it counts, in words. */
const count = (object: string) =>
  `string(${object}.status.workloads) + (${object}.status.workloads == 1 ? " workload" : " workloads")`;
const howToSee = 'kubectl get pinterest';
/** The policy sees the number that the status had last; a person may be faster than it. */
const delay = '; the count may be some seconds old: try again where none is left';

/** The policies by which nothing that workloads lean on is deleted beneath them; a finalizer would leave it ending for ever. */
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
        messageExpression: `oldObject.kind + " " + oldObject.metadata.name + " still has " + ${count('oldObject')} + ", which would lose it; delete or move them first ('${howToSee} -A' shows them${delay})"`,
        message: `still has workloads, which would lose it; delete or move them first ('${howToSee} -A' shows them${delay})`,
      },
    }),
    binding(name, {}),
  ];
}

/** Asked once for each Project, since the Namespace itself does not know how many workloads it holds. */
function projectNamespace(): KubernetesObject[] {
  const name = names.projectNamespace;
  return [
    policy(name, {
      paramKind: { apiVersion, kind: 'Project' },
      resourceRules: [onDelete([''], ['v1'], ['namespaces'])],
      // Were the Projects' definition gone, only namespaces of ours would be held.
      objectSelector: { matchLabels: { [recommended.managedBy]: manager } },
      validation: {
        expression: `params.metadata.name != oldObject.metadata.name || ${none('params')}`,
        messageExpression: `"Project " + params.metadata.name + " still has " + ${count('params')} + " in this namespace; delete them first ('${howToSee} -n " + params.metadata.name + "' shows them${delay})"`,
        message: `its Project still has workloads; delete them first ('${howToSee}' shows them${delay})`,
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
        message: 'the Platform names this RuntimeProfile; have its spec.runtime.profile name another one first',
      },
    }),
    binding(name, { paramRef: { name: 'cluster', parameterNotFoundAction: 'Allow' } }),
  ];
}

/**
 * The number of a deployment never goes back: a process that was stopped in the middle, and goes on after another one has
 * taken its place, is refused. Whoever applies without a number is not concerned.
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
        message: `a later deployment was applied already; ${metadataKeys.deploymentSequence} never goes back`,
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
