import { directNamespacesOf } from '../../../lib/operations';

test('lists kube-system, what the Platform allows, and infrastructure Projects', () => {
  const platform = {
    kind: 'Platform',
    metadata: { name: 'production' },
    spec: { systemNamespaces: [{ name: 'monitoring' }], gateway: { directProjects: ['pinion-quota'] } },
  };
  const agents = { kind: 'Project', metadata: { name: 'agents' }, spec: { infrastructure: true } };
  const shop = { kind: 'Project', metadata: { name: 'shop' }, spec: {} };
  expect(directNamespacesOf([platform, agents, shop])).toEqual(['kube-system', 'monitoring', 'pinion-quota', 'agents']);
  const defaulted = ['kube-system', 'pinion-canary', 'pinion-quota', 'pinion-submission'];
  expect(directNamespacesOf([{ kind: 'Platform', spec: {} }])).toEqual(defaulted);
  expect(directNamespacesOf([])).toEqual(['kube-system']);
  expect(directNamespacesOf([{ kind: 'Platform', spec: { gateway: { directProjects: 'all' } } }, null, 7])).toEqual([
    'kube-system',
  ]);
});
