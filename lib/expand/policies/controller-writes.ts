import {
  gatewayAuthority,
  gatewayNamespace,
  group,
  manager,
  metadataKeys,
  platformKinds,
  recommended,
} from '../../api';
import { deployerRole } from '../install/access-roles';
import { type ControllerScope } from '../install/controller-identities';
import { type PolicyRule } from '../install/policy-rule';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { type Validation, admissionPolicy, type ResourceRule } from './admission-policy';
import { controllerNamespacePolicies } from './controller-namespaces';
import { isUser } from './requesters';

/** Identity of a controller that a policy confines. */
export interface ConfinedController {
  /** Name of the policy, without the API group. */
  readonly policy: string;
  /** User name of its service account. */
  readonly user: string;
  /** Namespace of the installation, in which it writes nothing but its Lease. */
  readonly namespace: string;
  /** Name of that Lease. */
  readonly lease: string;
  readonly scopes: readonly ControllerScope[];
  /** Rules of its ClusterRole. */
  readonly rules: readonly PolicyRule[];
  /** Plurals of the workload kinds of node-level parts. */
  readonly partResources: readonly string[];
  /** Names of the ClusterRoles that it binds. */
  readonly bindableRoles: readonly string[];
}

const writeVerbs: Readonly<Record<string, ResourceRule['operations'][number]>> = {
  create: 'CREATE',
  patch: 'UPDATE',
  update: 'UPDATE',
  delete: 'DELETE',
};
/** Resources that other policies guard, and events. The API server evaluates no policy for admission policies. */
const exempt = new Set(['events', ...Object.values(platformKinds).map(({ plural }) => plural)]);
const exemptGroups = new Set(['admissionregistration.k8s.io', 'coordination.k8s.io']);
/** Kinds of Projects and the Platform. */
const platformResources = ['limitranges', 'namespaces', 'priorityclasses', 'resourcequotas'];
/** Kinds that both workloads and Projects have. */
const sharedResources = ['rolebindings', 'serviceaccounts'];
const systemQuotas = ['pinion-critical-pods', 'pinion-objects', 'pinion-pods'];

/**
 * Creates the policies that confine the service account of a controller: what its RBAC permissions allow in all
 * namespaces, it may do only where pinion manages the namespace, and only with the content that the product creates.
 */
export function controllerWritesPolicies(controller: ConfinedController): KubernetesObject[] {
  const { scopes, rules, partResources } = controller;
  const confined = new Set([...platformResources, ...sharedResources, 'roles', ...partResources]);
  // Objects of workloads may have any content in managed namespaces.
  const isFree = (resource: string): boolean => scopes.includes('workloads') && !confined.has(resource);
  const freeRules = resourceRulesOf(rules, isFree);
  return [
    ...contentPolicy(
      controller,
      resourceRulesOf(rules, (resource) => !isFree(resource)),
    ),
    ...(freeRules.length > 0 ? controllerNamespacePolicies(controller, freeRules) : []),
  ];
}

const contentPolicy = (controller: ConfinedController, resourceRules: ResourceRule[]): KubernetesObject[] =>
  admissionPolicy(`${controller.policy}.${group}`, {
    resourceRules,
    matchConditions: [{ name: 'controller', expression: isUser(controller.user) }],
    variables: [
      { name: 'subject', expression: 'object == null ? oldObject : object' },
      { name: 'resource', expression: 'request.resource.resource' },
      { name: 'write', expression: 'request.operation != "DELETE"' },
      // A Namespace to be created is in none yet.
      {
        name: 'home',
        expression:
          'variables.resource == "namespaces" ? variables.subject.metadata.name : request.?namespace.orValue("")',
      },
      {
        name: 'reserved',
        expression: `variables.home in ${JSON.stringify([controller.namespace, gatewayNamespace, 'default'])} || variables.home.startsWith("kube-")`,
      },
      {
        name: 'managed',
        expression: `!variables.reserved && namespaceObject != null && ${labelOf('namespaceObject', recommended.managedBy)} == "${manager}"`,
      },
    ],
    validations: [
      namespaceOf(controller),
      ...rbacValidations(controller),
      accountValidation(controller),
      ...(controller.scopes.includes('platform') ? platformValidations(controller) : []),
    ],
  });

/** Returns the operations on included resources that RBAC rules allow, so that a new kind is confined, too. */
function resourceRulesOf(rules: readonly PolicyRule[], isIncluded: (resource: string) => boolean): ResourceRule[] {
  const byKey = new Map<string, ResourceRule>();
  for (const { apiGroups, resources, verbs } of rules) {
    const operations = [...new Set(verbs.flatMap((verb) => writeVerbs[verb] ?? []))].sort();
    const confined = resources.filter(
      (resource) => !exempt.has(resource) && !resource.includes('/') && isIncluded(resource),
    );
    if (operations.length === 0 || confined.length === 0 || apiGroups.some((one) => exemptGroups.has(one))) continue;
    const key = JSON.stringify([apiGroups, operations]);
    const merged = [...new Set([...(byKey.get(key)?.resources ?? []), ...confined])].sort();
    byKey.set(key, { apiGroups, apiVersions: ['*'], operations, resources: merged });
  }
  return [...byKey.values()];
}

const labelOf = (object: string, key: string): string =>
  `${object}.metadata.?labels.orValue({})[?${JSON.stringify(key)}].orValue("")`;
const isOneOf = (resources: readonly string[]): string => `variables.resource in ${JSON.stringify(resources)}`;

/** Confines a controller to its namespaces; those of Projects are created by it, those of workloads exist. */
function namespaceOf({ scopes, namespace, partResources }: ConfinedController): Validation {
  const isSystemQuota = `variables.resource == "resourcequotas" && variables.subject.metadata.name in ${JSON.stringify(systemQuotas)}`;
  const isPlatform = `(!variables.reserved || ${isSystemQuota})`;
  const isWorkload = 'variables.managed';
  const choices = [
    ...(scopes.includes('platform')
      ? [
          `${isOneOf([...platformResources, ...sharedResources])} && ${isPlatform}`,
          `${isOneOf(partResources)} && ${isWorkload}`,
          `variables.resource == "configmaps" && variables.subject.metadata.name == "${gatewayAuthority}" && ${isWorkload}`,
        ]
      : []),
    ...(scopes.includes('workloads') ? [`!(${isOneOf(platformResources)}) && ${isWorkload}`] : []),
  ];
  const remedy = `create a Project of that name, or let an administrator of the cluster set the label ${recommended.managedBy}: ${manager}`;
  const message = `metadata.namespace: is not managed by pinion, and only there pinion's controller writes; ${remedy}`;
  return {
    expression: choices.map((choice) => `(${choice})`).join(' || '),
    message,
    messageExpression: `variables.reserved ? ("metadata.namespace: " + variables.home + " belongs to Kubernetes or to pinion's installation (${namespace}, ${gatewayNamespace}), where pinion's controller writes no " + variables.resource + "; use the namespace of a Project") : ("metadata.namespace: " + variables.home + " is not managed by pinion, and only there pinion's controller writes " + variables.resource + ${JSON.stringify(`; ${remedy}`)})`,
  };
}

/** Creates the policy for Leases, with which a controller could take the leadership from those of Kubernetes. */
export const controllerLeasesPolicy = ({ user, namespace, lease }: ConfinedController): KubernetesObject[] =>
  admissionPolicy(`controller-leases.${group}`, {
    // Every kubelet renews its Lease every few seconds.
    namespaceSelector: {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-node-lease'] }],
    },
    resourceRules: [
      {
        apiGroups: ['coordination.k8s.io'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['leases'],
      },
    ],
    matchConditions: [{ name: 'controller', expression: isUser(user) }],
    validations: [
      {
        expression: `request.namespace == "${namespace}" && object.metadata.name == "${lease}"`,
        message: `metadata.name: is not the Lease ${lease} of the namespace ${namespace}, the only one that pinion's controller writes`,
      },
    ],
  });

/** Confines Roles to leader election, and bindings to these Roles and to the ClusterRoles of the product. */
function rbacValidations({ namespace, scopes, bindableRoles }: ConfinedController): Validation[] {
  const isLeaseRule = [
    'r.?apiGroups.orValue([]) == ["coordination.k8s.io"]',
    'r.?resources.orValue([]) == ["leases"]',
    'size(r.?nonResourceURLs.orValue([])) == 0',
    '(r.verbs == ["create"] || (size(r.?resourceNames.orValue([])) > 0 && r.verbs.all(v, v in ["get", "patch", "update"])))',
  ].join(' && ');
  const allSubjects = (expression: string) =>
    `(object.?subjects.orValue(null) == null || object.subjects.all(s, s.kind == "ServiceAccount" && s.?namespace.orValue("") == variables.home && ${expression}))`;
  const isOwnRole = `variables.managed && object.roleRef.kind == "Role" && object.roleRef.name == object.metadata.name && ${allSubjects('s.name != "deployer"')}`;
  const isDeployer = `object.metadata.name == "deployer" && ${allSubjects('s.name == "deployer"')}`;
  // A token of the installation must not gain the roles that it binds.
  const isForeign = `(object.?subjects.orValue(null) == null || object.subjects.all(s, s.kind != "ServiceAccount" || s.?namespace.orValue("") != ${JSON.stringify(namespace)}))`;
  const isMembers = `${isForeign} && object.roleRef.kind == "ClusterRole" && object.roleRef.name in ${JSON.stringify(bindableRoles)} && (object.roleRef.name != "${deployerRole}" || (${isDeployer}))`;
  const bindings = [
    ...(scopes.includes('workloads') ? [isOwnRole] : []),
    ...(scopes.includes('platform') ? [isMembers] : []),
  ];
  const isManaged = `variables.write || ${labelOf('oldObject', recommended.managedBy)} == "${manager}"`;
  const bound = scopes.includes('platform') ? `${bindableRoles.join(', ')}` : 'Roles of leader election';
  return [
    {
      expression: `variables.resource != "roles" || !variables.write || (object.?rules.orValue(null) == null || object.rules.all(r, ${isLeaseRule}))`,
      message: "rules: pinion's controller grants nothing but leases for leader election; create the Role yourself",
    },
    {
      expression: `variables.resource != "rolebindings" || !variables.write || ${bindings.map((one) => `(${one})`).join(' || ')}`,
      message: `roleRef, subjects: a controller of pinion binds only ${bound}, each to its own subjects; create the RoleBinding yourself`,
    },
    {
      expression: `!(${isOneOf(['rolebindings', 'roles'])}) || (${isManaged})`,
      message: `metadata.labels: lack ${recommended.managedBy}: ${manager}, without which pinion's controller deletes no Roles and RoleBindings`,
    },
  ];
}

/** The account of deployments belongs to the Project. */
function accountValidation({ scopes }: ConfinedController): Validation {
  const choices = [
    ...(scopes.includes('platform') ? ['variables.subject.metadata.name == "deployer"'] : []),
    ...(scopes.includes('workloads')
      ? ['variables.managed && !(variables.subject.metadata.name in ["default", "deployer"])']
      : []),
  ];
  return {
    expression: `variables.resource != "serviceaccounts" || ${choices.map((one) => `(${one})`).join(' || ')}`,
    message:
      "metadata.name: is not a service account that pinion's controller writes; choose another name for the workload",
  };
}

const isNamespace = 'variables.resource != "namespaces" || !variables.write';
const platformValidations = ({ partResources }: ConfinedController): readonly Validation[] => [
  {
    expression: `${isNamespace} || ${labelOf('object', recommended.managedBy)} == "${manager}"`,
    message: `metadata.labels: lack ${recommended.managedBy}: ${manager}, which pinion's controller never removes from a Namespace`,
  },
  {
    expression: `variables.resource != "priorityclasses" || (variables.subject.value <= 1000000000 && !variables.subject.?globalDefault.orValue(false) && ${labelOf('variables.subject', recommended.managedBy)} == "${manager}")`,
    message: `metadata.labels: lack ${recommended.managedBy}: ${manager}, or the class is a default or as high as those of Kubernetes; pinion's controller writes only the classes of tiers`,
  },
  {
    expression: `!(${isOneOf(partResources)}) || !variables.write || (namespaceObject != null && ${labelOf('namespaceObject', metadataKeys.infrastructure)} == "true")`,
    message: 'metadata.namespace: is not that of an infrastructure Project, which node-level parts require',
  },
];
