import { group, metadataKeys } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy, type ResourceRule } from './admission-policy';
import { projectNamespaces } from './ingress-rules';
import { isAdministratorOfNamespace, isUser, kubeControllers } from './requesters';
import { listVariables, namespaceAnnotation } from './rule-facts';

/** Controllers of Kubernetes that create pods, or objects with their templates, from what was checked before. */
const templateControllers = [
  'cronjob-controller',
  'daemon-set-controller',
  'deployment-controller',
  'job-controller',
  'replicaset-controller',
  'replication-controller',
  'statefulset-controller',
] as const;

const rule = (
  apiGroup: string,
  resources: readonly string[],
  operations: ResourceRule['operations'] = ['CREATE', 'UPDATE'],
): ResourceRule => ({ apiGroups: [apiGroup], apiVersions: ['*'], operations, resources });

/** Paths of pods in objects of the resources. */
const podPaths = ['spec', 'spec.?template.?spec', 'spec.?jobTemplate.?spec.?template.?spec', 'template.?spec'];
const classOf = (object: string): string => {
  const [first = '', ...others] = podPaths.map((path) => `${object}.?${path}.?priorityClassName`);
  return `${first}${others.map((one) => `.or(${one})`).join('')}.orValue("")`;
};

/** True for a pod that got a default class of the cluster, which preempts no pod of the default tier. */
const isDefaultClass =
  'request.resource.resource == "pods" && has(object.spec.priority) && variables.defaultPriority != "" && object.spec.priority <= int(variables.defaultPriority)';

/**
 * Creates the policy for priority classes of pods that members create without a workload: only tiers that the project may
 * take. `controller` is the user name of the controller, which checks workloads itself. Pods of an existing object are
 * replaced even if the project may no longer take its tier. It reads the Namespace instead of the Platform: with a
 * parameter, it would refuse the pods and ReplicaSets of Kubernetes' controllers, too, until the API server knows it.
 */
export const podPriorityPolicy = (controller: string): KubernetesObject[] =>
  admissionPolicy(`pod-priority.${group}`, {
    namespaceSelector: projectNamespaces,
    resourceRules: [
      rule('', ['pods'], ['CREATE']),
      rule('', ['podtemplates', 'replicationcontrollers']),
      rule('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets']),
      rule('batch', ['cronjobs', 'jobs']),
    ],
    matchConditions: [
      { name: 'not-a-controller', expression: `!(${isUser(controller, ...kubeControllers(...templateControllers))})` },
      {
        name: 'class-changed',
        expression: `${classOf('object')} != "" && (oldObject == null || ${classOf('object')} != ${classOf('oldObject')})`,
      },
    ],
    variables: [
      ...listVariables(),
      { name: 'openTiers', expression: `${namespaceAnnotation(metadataKeys.openTiers)}.orValue("").split(",")` },
      { name: 'defaultPriority', expression: `${namespaceAnnotation(metadataKeys.defaultPriority)}.orValue("")` },
      { name: 'administrator', expression: isAdministratorOfNamespace },
      { name: 'class', expression: classOf('object') },
    ],
    validations: [
      {
        expression: `variables.administrator || variables.class in variables.tiers || variables.class in variables.openTiers || ${isDefaultClass}`,
        message: 'priorityClassName: is not a tier that the project may take; use another tier',
        messageExpression:
          '"priorityClassName: " + variables.class + " is not a tier that project " + request.namespace + " may take; use another tier, or ask the platform team to add it to spec.tiers of the Project"',
      },
    ],
  });
