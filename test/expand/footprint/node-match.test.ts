import { formatQuantity, type PodSpec } from '../../../lib/api';
import { admits, nodeOf } from '../../../lib/expand';

const node = nodeOf({
  kind: 'Node',
  metadata: { name: 'a', labels: { pool: 'gpu' } } as { name: string },
  spec: {
    unschedulable: true,
    taints: [
      { key: 'nvidia.com/gpu', effect: 'NoSchedule', value: 'present' },
      { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' },
    ],
  },
  status: { allocatable: { cpu: '7910m', pods: '110' }, capacity: { cpu: '8' } },
});

test('a node has its labels, its allocatable resources, and taints except those of Kubernetes', () => {
  expect(node).toMatchObject({
    name: 'a',
    labels: { pool: 'gpu' },
    taints: [{ key: 'nvidia.com/gpu', effect: 'NoSchedule', value: 'present' }],
  });
  expect(Object.entries(node.allocatable).map(([name, amount]) => [name, formatQuantity(amount)])).toEqual([
    ['cpu', '7910m'],
    ['pods', '110'],
  ]);
});

test.each<[string, Partial<PodSpec>, boolean]>([
  ['a pod that tolerates its taint', { tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }] }, true],
  ['a pod that tolerates everything', { tolerations: [{ operator: 'Exists' }] }, true],
  ['no pod without tolerations', {}, false],
  [
    'no pod with another node selector',
    { tolerations: [{ operator: 'Exists' }], nodeSelector: { pool: 'general' } },
    false,
  ],
])('matches %s', (_, spec, takes) => expect(admits(node, { containers: [], ...spec })).toBe(takes));
