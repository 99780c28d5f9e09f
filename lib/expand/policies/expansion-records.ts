import { group, manager, metadataKeys, recommended } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy, type ResourceRule } from './admission-policy';
import { isSuperuser, isUser } from './requesters';

const recordOf = (object: string): string =>
  `${object}.metadata.?annotations.orValue({})[?${JSON.stringify(metadataKeys.expansion)}].orValue("")`;
/** The status of these kinds carries their annotations, too. */
const rule = (apiGroup: string, resources: readonly string[]): ResourceRule => ({
  apiGroups: [apiGroup],
  apiVersions: ['*'],
  operations: ['CREATE', 'UPDATE'],
  resources: resources.flatMap((resource) => [resource, `${resource}/status`]),
});

/**
 * Creates the policy for the record of the expansion on objects with pods, with which a member would choose the PlatformRevision of a
 * workload. `controller` is the user name of the controller.
 */
export const expansionRecordPolicy = (controller: string): KubernetesObject[] =>
  admissionPolicy(`expansion-records.${group}`, {
    namespaceSelector: { matchLabels: { [recommended.managedBy]: manager } },
    resourceRules: [rule('apps', ['daemonsets', 'deployments', 'statefulsets']), rule('batch', ['cronjobs', 'jobs'])],
    matchConditions: [
      {
        name: 'record-changed',
        expression: `${recordOf('object')} != (oldObject == null ? "" : ${recordOf('oldObject')})`,
      },
    ],
    validations: [
      {
        expression: `${isUser(controller)} || ${isSuperuser}`,
        message: `metadata.annotations[${metadataKeys.expansion}]: is a record that only pinion's controller writes; leave it as it is, and out of new objects`,
      },
    ],
  });
