import {
  apiVersion,
  gatewayAuthority,
  group,
  manager,
  metadataKeys,
  recommended,
  version,
  workloadKinds,
} from '../../api';
import { type ControllerUsers } from '../install/controller-identities';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { type AdmissionPolicy, admissionPolicy, type ResourceRule } from './admission-policy';
import { breakGlassProblem, breakGlassVariables, isBreakGlass } from './break-glass';
import { isBookkeeping, isUpdate, sameAnnotations, sameContent } from './bookkeeping';
import { isAdministrator, isAdministratorOfNamespace, isDeployer, isUser, kubeControllers } from './requesters';

/** Names of the policies for protected projects, and for the deployer's service account in all projects. */
const names = {
  workloads: `protected-workloads.${group}`,
  objects: `protected-objects.${group}`,
  configuration: `protected-configuration.${group}`,
  deployer: `deployer-account.${group}`,
} as const;

/**
 * Controllers of kube-controller-manager that write objects of projects: those that create and delete pods, scale, count,
 * collect garbage, delete namespaces, and manage claims and service accounts.
 */
const objectControllers = [
  'cronjob-controller',
  'daemon-set-controller',
  'deployment-controller',
  'device-taint-eviction-controller',
  'disruption-controller',
  'ephemeral-volume-controller',
  'expand-controller',
  'generic-garbage-collector',
  'horizontal-pod-autoscaler',
  'job-controller',
  'legacy-service-account-token-cleaner',
  'namespace-controller',
  'node-controller',
  'persistent-volume-binder',
  'pod-garbage-collector',
  'pvc-protection-controller',
  'replicaset-controller',
  'replication-controller',
  'resource-claim-controller',
  'resourcequota-controller',
  'service-account-controller',
  'statefulset-controller',
  'taint-eviction-controller',
  'ttl-after-finished-controller',
] as const;
/** Users that write pinion's kinds on behalf of Kubernetes. */
const collectors = kubeControllers('generic-garbage-collector', 'namespace-controller');

const everyWrite = ['CREATE', 'UPDATE', 'DELETE'] as const;
const rule = (
  apiGroup: string,
  resources: readonly string[],
  operations: ResourceRule['operations'] = everyWrite,
): ResourceRule => ({ apiGroups: [apiGroup], apiVersions: ['*'], operations, resources });

const withStatus = (resources: readonly string[]): string[] =>
  resources.flatMap((resource) => [resource, `${resource}/status`]);

/** Objects that workloads become, and subresources that change what runs. Deletion of a pod only replaces it. */
const objectRules: readonly ResourceRule[] = [
  rule('', ['pods'], ['CREATE', 'UPDATE']),
  rule('', ['pods/ephemeralcontainers', 'pods/resize', 'pods/status', 'resourcequotas/status'], ['UPDATE']),
  rule('', ['limitranges', 'podtemplates', 'resourcequotas', 'serviceaccounts', 'services']),
  rule('', ['serviceaccounts/token'], ['CREATE']),
  rule('', [...withStatus(['replicationcontrollers']), 'replicationcontrollers/scale']),
  rule('apps', ['controllerrevisions', ...withStatus(['daemonsets', 'deployments', 'replicasets', 'statefulsets'])]),
  rule('apps', ['deployments/scale', 'replicasets/scale', 'statefulsets/scale']),
  rule('autoscaling', withStatus(['horizontalpodautoscalers'])),
  rule('batch', withStatus(['cronjobs', 'jobs'])),
  rule('networking.k8s.io', ['ingresses', 'networkpolicies']),
  rule('policy', withStatus(['poddisruptionbudgets'])),
  rule('rbac.authorization.k8s.io', ['rolebindings', 'roles']),
  rule('scheduling.k8s.io', withStatus(['podgroups'])),
];

const protectedNamespaces = {
  namespaceSelector: { matchLabels: { [metadataKeys.protected]: 'true' } },
} as const satisfies Partial<AdmissionPolicy>;
/** The Platform exists before there is a protected project, so that a missing one means a cache that is not filled yet. */
const platform = {
  paramKind: { apiVersion, kind: 'Platform' },
  paramRef: { name: 'cluster', parameterNotFoundAction: 'Deny' },
} as const satisfies Partial<AdmissionPolicy>;

/** Returns a CEL expression that is true for an update of one annotation. */
const onlyAnnotation = (key: string): string =>
  `${isUpdate} && ${sameContent} && object.metadata.?finalizers.orValue([]) == oldObject.metadata.?finalizers.orValue([]) && ${sameAnnotations(`k == ${JSON.stringify(key)}`)}`;
/** CEL expression of the groups that change a workload in an emergency; `params` is the Platform. */
const breakGlassGroups = `"groups of spec.breakGlass of the Platform (" + (size(params.spec.?breakGlass.orValue([])) == 0 ? "none" : params.spec.breakGlass.join(", ")) + ")"`;
const refusal = `"user " + request.userInfo.username + " may not change " + request.resource.resource + " of project " + request.namespace + ": its stages on this cluster (" + namespaceObject.metadata.?annotations.orValue({})[?"${metadataKeys.stages}"].orValue("unknown") + ") are protected, so that only deployments change it; deploy with pinion deploy, or in an emergency, let "`;
/** An administrator's change of a workload has no proof, so that the controller would not carry it out. */
const workloadRefusal = `${refusal} + ${breakGlassGroups} + " change it with the annotation ${metadataKeys.breakGlass}"`;
const objectRefusal = `${refusal} + "groups of spec.breakGlass of the Platform change the workload that it belongs to; if there is none, ask a group of spec.administrators of the Platform"`;
const message = 'the project is protected, so that only deployments change it; deploy with pinion deploy';

/**
 * Creates the policies for namespaces of protected projects: RBAC may allow members to write there, but
 * only deployments, pinion's controller, controllers of Kubernetes and administrators do. `users` are the user names
 * of the controllers.
 */
export const protectedProjectPolicies = (users: ControllerUsers): KubernetesObject[] => [
  ...protectedWorkloads(users),
  ...protectedObjects(users),
  ...protectedConfiguration(users),
  ...deployerAccount(),
];

/**
 * Members may restart a workload, or retry its failed hooks, by an annotation; scaling is a subresource. In an emergency, groups of
 * `Platform.spec.breakGlass` write workloads.
 */
const protectedWorkloads = ({ workloads, platform: ofPlatform }: ControllerUsers): KubernetesObject[] =>
  admissionPolicy(names.workloads, {
    ...platform,
    ...protectedNamespaces,
    resourceRules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        operations: everyWrite,
        resources: Object.values(workloadKinds).map(({ plural }) => plural),
      },
    ],
    variables: [
      { name: 'deployer', expression: isDeployer },
      { name: 'controller', expression: isUser(...new Set([workloads, ofPlatform]), ...collectors) },
      { name: 'administrator', expression: isAdministrator },
      ...breakGlassVariables,
      {
        name: 'restart',
        expression: `${onlyAnnotation(metadataKeys.restart)} || ${onlyAnnotation(metadataKeys.retry)}`,
      },
      {
        name: 'ends',
        expression: `variables.member && variables.after == "" && ${onlyAnnotation(metadataKeys.breakGlass)}`,
      },
    ],
    validations: [
      {
        expression: `variables.deployer || variables.controller || variables.administrator || variables.restart || variables.ends || (${isBreakGlass})`,
        message,
        // The API server reports one policy only.
        messageExpression: `variables.member && variables.after != "" ? ${breakGlassProblem} : ${workloadRefusal}`,
      },
    ],
  });

/** Resources of a project that the controller of the platform writes. */
const platformObjects = ['limitranges', 'resourcequotas', 'rolebindings', 'serviceaccounts'] as const;

function protectedObjects(users: ControllerUsers): KubernetesObject[] {
  const writers = [
    users.workloads,
    'system:apiserver',
    'system:kube-scheduler',
    ...kubeControllers(...objectControllers),
  ];
  return admissionPolicy(names.objects, {
    ...protectedNamespaces,
    resourceRules: objectRules,
    variables: [
      {
        name: 'writer',
        expression: `${isUser(...writers)} || (${isUser(users.platform)} && request.resource.resource in ${JSON.stringify(platformObjects)})`,
      },
      {
        name: 'kubelet',
        expression:
          'has(request.userInfo.groups) && "system:nodes" in request.userInfo.groups && (request.resource.resource == "pods" || request.?subResource.orValue("") == "token")',
      },
      { name: 'administrator', expression: isAdministratorOfNamespace },
      { name: 'bookkeeping', expression: isBookkeeping },
    ],
    validations: [
      {
        expression: 'variables.writer || variables.kubelet || variables.administrator || variables.bookkeeping',
        message,
        messageExpression: objectRefusal,
      },
    ],
  });
}

/**
 * Members keep their own ConfigMaps and claims; those of workloads belong to the controller, and the authority of the
 * gateway to that of the platform.
 */
const protectedConfiguration = (users: ControllerUsers): KubernetesObject[] =>
  admissionPolicy(names.configuration, {
    ...protectedNamespaces,
    objectSelector: { matchLabels: { [recommended.managedBy]: manager } },
    resourceRules: [rule('', ['configmaps', 'persistentvolumeclaims'])],
    variables: [
      { name: 'subject', expression: 'object == null ? oldObject : object' },
      {
        name: 'writer',
        expression: `${isUser(users.workloads, 'system:kube-scheduler', ...kubeControllers(...objectControllers))} || (${isUser(users.platform)} && request.resource.resource == "configmaps" && variables.subject.metadata.name == "${gatewayAuthority}")`,
      },
      { name: 'administrator', expression: isAdministratorOfNamespace },
      // Provisioners and schedulers annotate claims.
      { name: 'bookkeeping', expression: `${isUpdate} && ${sameContent}` },
    ],
    validations: [
      {
        expression: 'variables.writer || variables.administrator || variables.bookkeeping',
        message,
        messageExpression: objectRefusal,
      },
    ],
  });

/** A pod with this account could write every workload of its project. */
const deployerAccount = (): KubernetesObject[] =>
  admissionPolicy(names.deployer, {
    namespaceSelector: { matchLabels: { [recommended.managedBy]: manager } },
    resourceRules: [rule('', ['pods'], ['CREATE'])],
    validations: [
      {
        expression: 'object.spec.?serviceAccountName.orValue("") != "deployer"',
        message:
          'spec.serviceAccountName: deployer is the account of deployments, which no pod may use; choose another service account, or another name for the workload',
      },
    ],
  });
