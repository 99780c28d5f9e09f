import { group, metadataKeys } from '../../../../lib/api';
import { type SendableObject } from '../../../control-plane/client';
import { objectOf as object, type Goal } from './goal';

/** Goals: other limits and facts of a project. */
export const namespaceGoals: readonly Goal[] = [
  ...[
    ['remove the Pod Security level of', { 'pod-security.kubernetes.io/enforce': 'privileged' }],
    ['remove the protection of', { [`${group}/protected`]: null }],
    ['end the enforcement of the gateway in', { [metadataKeys.gateway]: 'Off' }],
    ['make an infrastructure project of', { [metadataKeys.infrastructure]: 'true' }],
    ["take from pinion's management the namespace", { 'app.kubernetes.io/managed-by': 'other' }],
  ].map(([name, labels]): Goal => ({
    name: `${name as string} shop`,
    does: { patch: object('v1', 'Namespace', 'shop'), with: { metadata: { labels } } },
  })),
  ...['stages', 'hosts', 'iam-roles', 'tiers', 'open-tiers', 'administrators', 'host-privileged'].map((key): Goal => ({
    name: `forge the annotation ${key} of the namespace shop`,
    does: {
      patch: object('v1', 'Namespace', 'shop'),
      with: { metadata: { annotations: { [`${group}/${key}`]: '*' } } },
    },
  })),
  { name: 'delete the namespace shop', hasNoRightfulMove: true, does: { delete: object('v1', 'Namespace', 'shop') } },
  {
    name: 'delete the namespace kube-system',
    hasNoRightfulMove: true,
    does: { delete: object('v1', 'Namespace', 'kube-system') },
  },
  {
    name: 'create a namespace that looks like a project',
    does: {
      create: {
        ...object('v1', 'Namespace', 'fake'),
        metadata: { name: 'fake', labels: { 'app.kubernetes.io/managed-by': 'pinion' } },
      } as SendableObject,
    },
  },
  { name: 'delete the quota of shop', does: { delete: object('v1', 'ResourceQuota', 'project', {}, 'shop') } },
  {
    name: 'raise the quota of shop',
    does: { patch: object('v1', 'ResourceQuota', 'project', {}, 'shop'), with: { spec: { hard: { pods: '10000' } } } },
  },
  { name: 'delete the limits of shop', does: { delete: object('v1', 'LimitRange', 'project', {}, 'shop') } },
];
