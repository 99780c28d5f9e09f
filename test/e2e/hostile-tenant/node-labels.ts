import { tagKeys } from '../../../lib/api';
import { allowed, type Attack, type AttackTable, refusedBy, refusedByOneOf, refusedWith } from './attack';
import { objectOf } from './goals/goal';

const as = 'worker node-0' as const;
const own = objectOf('v1', 'Node', 'node-0');
const labeled = (labels: Readonly<Record<string, string | null>>) => ({ metadata: { labels } });
const policy = refusedBy('node-labels.pinterest.com', /decide what is scheduled/);

/** Labels by which pods may select nodes. */
const labels: readonly (readonly [name: string, value: string | null])[] = [
  [tagKeys.pool, 'secrets'],
  ['example.com/tier', 'critical'],
  ['tier', 'critical'],
  ['topology.kubernetes.io/zone', 'c'],
  ['topology.kubernetes.io/zone', null],
  ['topology.kubernetes.io/region', 'evil'],
  ['node.kubernetes.io/instance-type', 'p5.48xlarge'],
  ['kubernetes.io/hostname', 'node-1'],
];
const ofLabels = labels.flatMap(([key, value]): Attack[] =>
  [undefined, 'status'].map((subresource) => ({
    name: `a worker ${value === null ? 'removes' : `sets to ${value}`} its label ${key}${subresource === undefined ? '' : ' by its status'}`,
    as,
    does: { patch: own, with: labeled({ [key]: value }), ...(subresource !== undefined && { subresource }) },
    expects: refusedByOneOf(['node-labels.pinterest.com', 'node']),
  })),
);

/** Labels that a stolen worker gives its own Node, to receive the pods of another pool. */
export const nodeLabels: AttackTable = {
  title: 'labels of nodes',
  attacks: [
    ...ofLabels,
    {
      name: 'a worker moves to another pool',
      as,
      does: { patch: own, with: labeled({ [tagKeys.pool]: 'secrets' }) },
      expects: policy,
    },
    {
      name: 'a worker reserves itself for a team',
      as,
      does: { patch: own, with: labeled({ 'node-restriction.kubernetes.io/team': 'bank' }) },
      expects: refusedWith('NodeRestriction', 403, /is not allowed to modify labels/),
    },
    {
      name: 'a worker registers as another node',
      as,
      does: { create: objectOf('v1', 'Node', 'node-9') },
      expects: refusedBy('node'),
    },
    {
      name: 'a worker deletes its Node, to register with other labels',
      as,
      does: { delete: own },
      expects: refusedByOneOf(['node', 'rbac']),
    },
    {
      name: 'a worker changes the labels of another node',
      as,
      does: { patch: objectOf('v1', 'Node', 'node-1'), with: labeled({ [tagKeys.pool]: 'secrets' }) },
      expects: refusedByOneOf(['node-labels.pinterest.com', 'node']),
    },
    {
      name: 'a worker adds the label of its system',
      as,
      does: { patch: own, with: labeled({ 'beta.kubernetes.io/os': 'linux' }) },
      expects: allowed,
    },
    {
      name: 'a worker annotates its Node',
      as,
      does: { patch: own, with: { metadata: { annotations: { 'example.com/kernel': '6.12' } } } },
      expects: allowed,
    },
    {
      name: 'a worker reports its status',
      as,
      does: { patch: own, with: { status: { conditions: [] } }, subresource: 'status' },
      expects: allowed,
    },
    {
      name: 'an administrator moves a worker to another pool',
      as: 'platform administrator',
      does: { patch: own, with: labeled({ [tagKeys.pool]: 'secrets' }) },
      expects: allowed,
    },
  ],
};
