import { gatewayNamespace, group, manager, recommended } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy, type AdmissionPolicy, type ResourceRule } from './admission-policy';
import { isUser } from './requesters';

/** Controller of workloads. */
interface NamespacedController {
  /** User name of its service account. */
  readonly user: string;
  /** Namespace of the installation. */
  readonly namespace: string;
}

const nameLabel = 'kubernetes.io/metadata.name';
const namespacesOfKubernetes = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * Creates the policies that confine the objects of workloads to the namespaces that pinion manages.
 *
 * They select the other namespaces: for each expression of a policy that a request matches, the API server converts the
 * whole object, and most writes are in managed namespaces.
 */
export function controllerNamespacePolicies(
  { user, namespace }: NamespacedController,
  resourceRules: readonly ResourceRule[],
): KubernetesObject[] {
  const reserved = [...namespacesOfKubernetes, namespace, gatewayNamespace];
  const remedy = `create a Project of that name, or let an administrator of the cluster set the label ${recommended.managedBy}: ${manager}`;
  const policy = (name: string, namespaceSelector: AdmissionPolicy['namespaceSelector'], problem: Problem) =>
    admissionPolicy(`${name}.${group}`, {
      ...(namespaceSelector && { namespaceSelector }),
      resourceRules,
      matchConditions: [{ name: 'controller', expression: isUser(user) }],
      validations: [
        {
          expression: 'false',
          message: `metadata.namespace: ${problem.is}, where pinion's controller writes nothing; ${problem.remedy}`,
          messageExpression: `"metadata.namespace: " + request.namespace + ${JSON.stringify(` ${problem.is}, where pinion's controller writes no `)} + request.resource.resource + ${JSON.stringify(`; ${problem.remedy}`)}`,
        },
      ],
    });
  return [
    ...policy(
      'controller-namespaces',
      {
        matchExpressions: [
          { key: recommended.managedBy, operator: 'NotIn', values: [manager] },
          { key: nameLabel, operator: 'NotIn', values: reserved },
        ],
      },
      { is: 'is not managed by pinion', remedy },
    ),
    // Also if they have the label of managed namespaces.
    ...policy(
      'controller-reserved-namespaces',
      { matchExpressions: [{ key: nameLabel, operator: 'In', values: reserved }] },
      {
        is: `belongs to Kubernetes or to pinion's installation (${namespace}, ${gatewayNamespace})`,
        remedy: 'use the namespace of a Project',
      },
    ),
  ];
}

/** Why a controller does not write in a namespace. */
interface Problem {
  readonly is: string;
  readonly remedy: string;
}
