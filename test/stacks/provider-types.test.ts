import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallCluster } from './plan/make-cluster';
import { typeFaults } from './provider-types';
import { recordRun, type Recorded } from './recorded-run';

// The compiler reads the types of every service that is used.
jest.setTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), 'pinion-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the published provider types declare every argument of every resource, also nested', async () => {
  const variants = [smallCluster, { ...smallCluster, network: { egress: 'endpoints' } }];
  const resources: Recorded[] = [];
  for (const cluster of variants)
    resources.push(...(await recordRun({ stack: 'cluster-shop', config: { cluster } })).resources);
  const ours = resources.filter(({ type }) => type.startsWith('aws:'));
  expect(ours.length).toBeGreaterThan(300);
  const [group] = ours.filter(({ type }) => type.endsWith(':Group'));
  if (!group) throw new Error('there is no group');
  const policy = { minHealthyPercentage: 100, maxHealthyPercentage: 110, minHealtyPercentage: 90 };
  const misspelt = { ...group, urn: 'misspelt', inputs: { ...group.inputs, instanceMaintenancePolicy: policy } };
  const faults = typeFaults([...ours, misspelt], join(folder, 'arguments.ts'));
  expect(faults).toEqual([expect.stringMatching(/^misspelt: .*minHealtyPercentage.* does not exist/)]);
});
