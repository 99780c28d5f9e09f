import { gatewayAuthority, group, manager, recommended } from '../../../api';
import { type ControllerUsers } from '../../install/controller-identities';
import { type KubernetesObject } from '../../objects/kubernetes-object';
import { admissionPolicy } from '../admission-policy';
import { isSuperuser, isUser, kubeControllers } from '../requesters';

/**
 * Creates the policy for the ConfigMap from which pods know the authority of the gateway: its author decides whom the
 * clients of all pods of the project give their tokens to. It needs no Platform, so that it also acts before there is one.
 */
export const gatewayAuthorityPolicy = ({ platform }: ControllerUsers): KubernetesObject[] =>
  admissionPolicy(`gateway-authority.${group}`, {
    namespaceSelector: { matchLabels: { [recommended.managedBy]: manager } },
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['configmaps'] },
    ],
    matchConditions: [
      {
        name: 'authority',
        expression: `(object == null ? oldObject : object).metadata.?name.orValue("") == "${gatewayAuthority}"`,
      },
    ],
    validations: [
      {
        expression: `${isUser(platform, ...kubeControllers('generic-garbage-collector', 'namespace-controller'))} || ${isSuperuser}`,
        message: `metadata.name: ${gatewayAuthority} contains the authority of the gateway, which only pinion's controller writes; use another name`,
      },
    ],
  });
