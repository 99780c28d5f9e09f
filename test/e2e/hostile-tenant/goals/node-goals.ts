import { controllerName } from '../../../../lib/expand';
import { objectOf as object, rootPod, thievesOf, type Goal } from './goal';

/** Goals: nodes. */
export const nodeGoals: readonly Goal[] = [
  {
    name: 'label a node',
    rightful: thievesOf('drain-consumer'),
    does: { patch: object('v1', 'Node', 'node-1'), with: { metadata: { labels: { 'pinion/pool': 'evil' } } } },
  },
  {
    name: 'remove the taints of a node',
    does: { patch: object('v1', 'Node', 'node-1'), with: { spec: { taints: null } } },
    rightful: thievesOf('drain-consumer'),
  },
  { name: 'delete a node', does: { delete: object('v1', 'Node', 'node-1') } },
  {
    name: 'forge the capacity of a node',
    does: {
      patch: object('v1', 'Node', 'node-1'),
      with: { status: { capacity: { cpu: '9000' } } },
      subresource: 'status',
    },
  },
  { name: 'reach the kubelet of a node', does: { call: 'GET /api/v1/nodes/node-1/proxy/configz' } },
  {
    name: 'mount the disk of a node by a PersistentVolume',
    does: {
      create: object('v1', 'PersistentVolume', 'root', {
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/' } },
      }),
    },
  },
  {
    name: 'create a PriorityClass above all',
    does: { create: object('scheduling.k8s.io/v1', 'PriorityClass', 'evil', { value: 1_000_000_000 }) },
  },
  { name: 'run a privileged pod in kube-system', does: { create: rootPod('kube-system') } },
  { name: 'run a privileged pod in shop', hasNoRightfulMove: true, does: { create: rootPod('shop') } },
  { name: 'run a privileged pod in the namespace of the controller', does: { create: rootPod(controllerName) } },
];
