import { group, nativeKinds } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy, type Validation } from './admission-policy';
import { ingressRules, ingressVariables, managedNamespaces, platformParams, type IngressRule } from './ingress-rules';

/**
 * Creates the admission policy that limits all Ingresses in projects to the host names of the project, the classes of
 * the Platform, and annotations that it allows.
 */
export function ingressPolicy(): KubernetesObject[] {
  const annotations = (object: string) => `(has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {})`;
  return admissionPolicy(`ingress-hosts.${group}`, {
    ...platformParams,
    namespaceSelector: managedNamespaces,
    resourceRules: [
      {
        apiGroups: ['networking.k8s.io'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: [nativeKinds.Ingress.plural],
      },
    ],
    // Removing finalizers must work for Ingresses that violate the rules of a changed Project or Platform.
    matchConditions: [
      {
        name: 'routing-changed',
        expression: `oldObject == null || object.spec != oldObject.spec || ${annotations('object')} != ${annotations('oldObject')}`,
      },
    ],
    variables: ingressVariables,
    validations: ingressRules.map(validationOf),
  });
}

const validationOf = ({ cel, reason, remedy, values }: IngressRule): Validation => ({
  expression: cel,
  message: `${reason}; ${remedy}`,
  ...(values !== undefined && {
    messageExpression: `${JSON.stringify(`${reason} (`)} + ${values}.join(", ") + ${JSON.stringify(`); ${remedy}`)}`,
  }),
});
