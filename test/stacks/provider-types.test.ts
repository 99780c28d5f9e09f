import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallCluster } from './plan/make-cluster';
import { typeErrors } from './provider-types';
import { recordRun, type Recorded } from './recorded-run';

// The compiler reads the types of every service that is used.
jest.setTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), 'pinion-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the published provider types declare every argument of every resource, including nested ones', async () => {
  const variants = [smallCluster, { ...smallCluster, network: { egress: 'endpoints' } }];
  const resources: Recorded[] = [];
  for (const cluster of variants)
    resources.push(...(await recordRun({ stack: 'cluster-shop', config: { cluster } })).resources);
  const awsResources = resources.filter(({ type }) => type.startsWith('aws:'));
  expect(awsResources.length).toBeGreaterThan(300);
  const [group] = awsResources.filter(({ type }) => type.endsWith(':Group'));
  if (!group) throw new Error('no Auto Scaling group found');
  const policy = { minHealthyPercentage: 100, maxHealthyPercentage: 110, minHealtyPercentage: 90 };
  const misspelled = { ...group, urn: 'misspelled', inputs: { ...group.inputs, instanceMaintenancePolicy: policy } };
  const errors = typeErrors([...awsResources, misspelled], join(folder, 'arguments.ts'));
  expect(errors).toEqual([expect.stringMatching(/^misspelled: .*minHealtyPercentage.* does not exist/)]);
});
