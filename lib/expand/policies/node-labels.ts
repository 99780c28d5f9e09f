import { group } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { admissionPolicy } from './admission-policy';

/** Labels that a kubelet adds to its Node where they are missing. */
const kubeletLabels = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/windows-build',
];
const labelsOf = (object: string): string => `${object}.metadata.?labels.orValue({})`;

/**
 * Creates the policy for labels of Nodes, by which pods select a pool: kubelets set them when they register, and do not
 * change them afterwards. NodeRestriction holds only those with the prefix `node-restriction.kubernetes.io/`.
 */
export const nodeLabelPolicy = (): KubernetesObject[] =>
  admissionPolicy(`node-labels.${group}`, {
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['nodes', 'nodes/status'] },
    ],
    matchConditions: [
      {
        name: 'kubelet',
        expression: 'has(request.userInfo.groups) && "system:nodes" in request.userInfo.groups',
      },
      { name: 'labels-changed', expression: `${labelsOf('object')} != ${labelsOf('oldObject')}` },
    ],
    variables: [
      {
        name: 'changed',
        expression: `${labelsOf('oldObject')}.filter(k, ${labelsOf('object')}[?k] != optional.of(${labelsOf('oldObject')}[k])) + ${labelsOf('object')}.filter(k, !(k in ${labelsOf('oldObject')}) && !(k in ${JSON.stringify(kubeletLabels)}))`,
      },
    ],
    validations: [
      {
        expression: 'size(variables.changed) == 0',
        message:
          'metadata.labels: a node may not change its labels, which decide what is scheduled on it; change the settings of its pool, and replace the machine',
        messageExpression:
          '"metadata.labels: node " + request.userInfo.username + " may not change " + variables.changed.join(", ") + ", because labels decide what is scheduled on it; change the settings of its pool, and replace the machine"',
      },
    ],
  });
