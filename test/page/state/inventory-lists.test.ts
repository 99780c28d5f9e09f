import { groupByCause, listDeployments, listWorkloads } from '../../../lib/page/state/inventory-lists';
import { makeDeployment, makeSampleData } from '../sample-data';

const { workloads } = makeSampleData(200);

test('items that are not ready are listed first, and each filter and search word narrows the list', () => {
  const all = listWorkloads(workloads, {});
  expect(all).toHaveLength(200);
  const firstReady = all.findIndex(({ ready }) => ready);
  expect(all.slice(firstReady).every(({ ready }) => ready)).toBe(true);
  expect(listWorkloads(workloads, { notReady: true })).toHaveLength(firstReady);
  const found = listWorkloads(workloads, { text: 'CRASHLOOP  media', project: 'media' });
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ project, cause }) => project === 'media' && cause?.reason === 'CrashLoopBackOff')).toBe(true);
  expect(listWorkloads(workloads, { text: 'crashloop nowhere' })).toEqual([]);
});

test('workloads that are not ready are grouped by cause, the most frequent first', () => {
  const groups = groupByCause(listWorkloads(workloads, { notReady: true }));
  const sizes = groups.map((group) => group.workloads.length);
  expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
  expect(new Set(groups.map(({ cause }) => cause?.reason)).size).toBe(groups.length);
});

test('deployments older than the complete range are hidden, because there may be gaps among them', () => {
  const [old, recent, newest] = [1, 2, 3].map((number) => makeDeployment(number));
  if (!old || !recent || !newest) throw new Error('unreachable');
  const listed = listDeployments([old, newest, recent], {}, recent.requestedAt);
  expect(listed.map(({ sequence }) => sequence)).toEqual([3, 2]);
  expect(listDeployments([old, newest], { workflow: 'else' })).toEqual([]);
});
