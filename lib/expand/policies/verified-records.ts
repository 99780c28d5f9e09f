import { group, metadataKeys } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy, type ResourceRule } from './admission-policy';
import { isUser, kubeControllers } from './requesters';

const revisions: readonly ResourceRule[] = [
  {
    apiGroups: ['apps'],
    apiVersions: ['*'],
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    resources: ['controllerrevisions'],
  },
];

/**
 * Creates the policies for records of verified workloads, in all namespaces: a record from before a project was protected
 * would count, too. `controller` is the user name of the controller.
 */
export const verifiedRecordPolicies = (controller: string): KubernetesObject[] => [
  ...admissionPolicy(`verified-records.${group}`, {
    objectSelector: { matchExpressions: [{ key: metadataKeys.verified, operator: 'Exists' }] },
    resourceRules: revisions,
    validations: [
      {
        // Deletion of a workload orphans or deletes its records.
        expression: `${isUser(controller)} || (request.operation != "CREATE" && ${isUser(...kubeControllers('generic-garbage-collector', 'namespace-controller'))})`,
        message: `only pinion's controller writes ControllerRevisions with the label ${metadataKeys.verified}, which record what it verified; remove the label`,
      },
    ],
  }),
  ...admissionPolicy(`controller-revisions.${group}`, {
    resourceRules: revisions,
    matchConditions: [{ name: 'controller', expression: isUser(controller) }],
    validations: [
      {
        expression: `${JSON.stringify(metadataKeys.verified)} in (request.operation == "DELETE" ? oldObject : object).metadata.?labels.orValue({})`,
        message: "pinion's controller writes no ControllerRevisions but its records",
      },
    ],
  }),
];
