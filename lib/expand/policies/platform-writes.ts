import { apiVersion, gatewayNamespace, group, pinionKinds, platformKinds, version, type PlatformKind } from '../../api';
import { scopeOf, type ControllerUsers } from '../install/controller-identities';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy } from './admission-policy';
import { isRollout, keepsCompleted, rolloutValidations } from './rollout-writes';
import { isAdministrator, isSuperuser, isUser, kubeControllers } from './requesters';

/** Name of the policy for writes of platform resources. */
export const platformWritesPolicy = `platform-writes.${group}`;
/** Names of the other policies. */
const names = {
  projectNames: `project-names.${group}`,
  statusWrites: `status-writes.${group}`,
} as const;

const pluralsOf = (kinds: Readonly<Record<string, { readonly plural: string }>>): string[] =>
  Object.values(kinds).map(({ plural }) => plural);

/**
 * Creates the policies for Projects, RuntimeProfiles and the Platform, and for the status of all kinds. `users` are
 * the user names of the controllers, `namespace` their namespace.
 */
export const platformWritePolicies = (users: ControllerUsers, namespace: string): KubernetesObject[] => [
  ...platformWrites(users.platform),
  ...projectNames(namespace),
  ...statusWrites(users),
];

/** Spec of an object of any of the kinds: the type checker of Kubernetes would warn of fields that the other kinds lack. */
const anySpec = 'dyn(object).spec';

/** Without a Platform, RBAC alone decides: the first installation has no administrators yet. */
function platformWrites(controller: string): KubernetesObject[] {
  const resources = pluralsOf(platformKinds);
  const { Project, Platform, PlatformRevision } = platformKinds;
  const isOwnProject = [
    `request.resource.resource == "${Project.plural}"`,
    'variables.subject.metadata.name == params.spec.runtime.project',
    'variables.subject.metadata.?ownerReferences.orValue([]).exists(o, o.kind == "Platform" && o.name == "cluster")',
  ];
  const isParts = `${isOwnProject[0]} && (${isOwnProject[1]} || request.operation == "DELETE" && ${isOwnProject[2]})`;
  // A system project has no members, stages or adopted namespace, so that a stolen token gains nothing by it.
  const isPlain = `request.operation == "DELETE" || (size(${anySpec}.?members.orValue([])) == 0 && !${anySpec}.?stages.hasValue() && !${anySpec}.?adopt.orValue(false))`;
  // Names of revisions depend on their content, and the spec of a rollout on the Platform: neither needs an update.
  const isRevisions = `request.operation != "UPDATE" && (${isRollout} || request.resource.resource == "${PlatformRevision.plural}")`;
  return admissionPolicy(platformWritesPolicy, {
    paramKind: { apiVersion, kind: 'Platform' },
    paramRef: { name: 'cluster', parameterNotFoundAction: 'Allow' },
    resourceRules: [
      { apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE', 'DELETE'], resources },
    ],
    variables: [
      { name: 'administrator', expression: isAdministrator },
      { name: 'controller', expression: isUser(controller) },
      {
        name: 'onCall',
        expression: `${isRollout} && request.operation == "UPDATE" && request.userInfo.groups.exists(g, g in params.spec.?breakGlass.orValue([]))`,
      },
      { name: 'collector', expression: isUser(...kubeControllers('generic-garbage-collector')) },
      { name: 'subject', expression: 'object == null ? oldObject : object' },
    ],
    validations: [
      {
        expression: `variables.administrator || variables.collector || variables.onCall || (variables.controller && (${isRevisions} || ${isParts} && (${isPlain})))`,
        message:
          'only groups of spec.administrators of the Platform may write Projects, RuntimeProfiles, revisions, rollouts and the Platform',
        messageExpression:
          '"user " + request.userInfo.username + " is in none of the groups that may write platform resources (" + params.spec.?administrators.orValue(["system:masters"]).join(", ") + "); ask one of them, or add a group to spec.administrators of the Platform"',
      },
      {
        expression: `request.resource.resource != "${Platform.plural}" || request.operation != "UPDATE" || !variables.administrator || request.userInfo.groups.exists(g, g in ${anySpec}.?administrators.orValue(["system:masters"]))`,
        message:
          'spec.administrators: must keep a group of the user who changes it; otherwise you could not take the change back',
      },
      ...rolloutValidations,
    ],
  });
}

/** Installation options are checked before the controller exists; later Projects are checked here. */
const projectNames = (namespace: string): KubernetesObject[] =>
  admissionPolicy(names.projectNames, {
    resourceRules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        operations: ['CREATE'],
        resources: [platformKinds.Project.plural],
      },
    ],
    validations: [
      {
        expression: `object.metadata.name != ${JSON.stringify(namespace)}`,
        message: `metadata.name: is the namespace of the controller, whose service account workloads could then use; choose another name`,
      },
      {
        expression: `object.metadata.name != ${JSON.stringify(gatewayNamespace)}`,
        message:
          'metadata.name: is the namespace of the gateway, whose service account can impersonate all others; choose another name',
      },
      {
        expression: 'object.metadata.name != "default" && !object.metadata.name.startsWith("kube-")',
        message: 'metadata.name: is a namespace of Kubernetes; choose another name',
      },
    ],
  });

/** Plurals of the kinds whose status the controller of the platform writes. */
const platformPlurals = (Object.keys(platformKinds) as PlatformKind[])
  .filter((kind) => scopeOf(kind) === 'platform')
  .map((kind) => platformKinds[kind].plural);

/** A forged status would release gates and promote versions. */
const statusWrites = (users: ControllerUsers): KubernetesObject[] =>
  admissionPolicy(names.statusWrites, {
    resourceRules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        operations: ['CREATE', 'UPDATE'],
        resources: pluralsOf(pinionKinds).map((plural) => `${plural}/status`),
      },
    ],
    validations: [
      {
        expression: `(request.resource.resource in ${JSON.stringify(platformPlurals)} ? ${isUser(users.platform)} : ${isUser(users.workloads)}) || ${isSuperuser}`,
        message: `only pinion's controller writes the status of its kinds; remove */status of ${group} from your Role`,
      },
      {
        expression: `${isSuperuser} || ${keepsCompleted}`,
        message:
          'status.revisions.completed: becomes only the revision that was current before; roll it out, or remove spec.rollouts of the Platform',
      },
    ],
  });
