import { group } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { isOpenTier } from '../platform/tiers';
import { admissionPolicy, type ResourceRule } from './admission-policy';
import { platformParams, projectNamespaces } from './ingress-rules';
import { isAdministrator, isUser, kubeControllers } from './requesters';
import { listVariables } from './rule-facts';

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
  'request.resource.resource == "pods" && has(object.spec.priority) && params.spec.tiers.exists(d, d.name == params.spec.defaultTier && object.spec.priority <= d.priority)';

/**
 * Creates the policy for priority classes of pods that members create without a workload: only tiers that the project may
 * take. `controller` is the user name of the controller, which checks workloads itself. Pods of an existing object are
 * replaced even if the project may no longer take its tier.
 */
export const podPriorityPolicy = (controller: string): KubernetesObject[] =>
  admissionPolicy(`pod-priority.${group}`, {
    ...platformParams,
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
      { name: 'administrator', expression: isAdministrator },
      { name: 'class', expression: classOf('object') },
    ],
    validations: [
      {
        expression: `variables.administrator || variables.class in variables.tiers || ${isOpenTier('variables.class')} || ${isDefaultClass}`,
        message: 'priorityClassName: is not a tier that the project may take; use another tier',
        messageExpression:
          '"priorityClassName: " + variables.class + " is not a tier that project " + request.namespace + " may take; use another tier, or ask the platform team to add it to spec.tiers of the Project"',
      },
    ],
  });
