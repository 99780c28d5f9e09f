import { applyChanges, emptyInventory, workloadKey } from '../../../lib/page/state/inventory';
import { makeDeployment, makeSampleData } from '../sample-data';

test('changes update each item to its latest state, and remove deleted items', () => {
  const { workloads, projects } = makeSampleData(200);
  const [first, second] = workloads;
  const [project] = projects;
  if (!first || !second || !project) throw new Error('the sample is empty');
  const inventory = applyChanges(emptyInventory, [
    { type: 'workload', workload: first },
    { type: 'workload', workload: second },
    { type: 'workload', workload: { ...first, progress: '2/3 ready' } },
    { type: 'workloadGone', workload: second },
    { type: 'project', project },
    { type: 'deployment', deployment: makeDeployment(9) },
  ]);
  expect([...inventory.workloads.items]).toEqual([[workloadKey(first), { ...first, progress: '2/3 ready' }]]);
  expect(inventory.projects.items.size).toBe(1);
  expect(inventory.deployments.items.size).toBe(1);
  expect(applyChanges(inventory, [{ type: 'projectGone', project }]).projects.items.size).toBe(0);
});
