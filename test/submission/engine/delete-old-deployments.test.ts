import { type Phase } from '../../../lib/contract';
import { ConfigMapState } from '../../../lib/submission';
import { deleteOldDeployments } from '../../../lib/submission/engine/delete-old-deployments';
import { createDeploymentRecord } from '../../../lib/submission/state/deployment-record';
import { closed, opened } from '../../../lib/submission/state/project-ledger';
import { ManualClock } from '../../kube/manual-clock';
import { application, requestedAt, entry } from '../state/ledger-fixture';
import { InMemoryCluster } from './in-memory-cluster';

jest.setTimeout(60_000);

let state: ConfigMapState;
beforeEach(async () => {
  const options = { client: new InMemoryCluster().client(), clock: new ManualClock(), namespace: 'pinion-submission' };
  state = new ConfigMapState({ ...options, onError: (error) => void Promise.reject(error as Error) });
  await state.start();
});
afterEach(() => state.stop());

const storeRecords = async (
  count: number,
  phase: Phase,
  { stage = 'prod', from = 1, name = 'one' } = {},
): Promise<void> => {
  for (let sequence = from; sequence < from + count; sequence++) {
    const record = createDeploymentRecord('shop', entry({ id: `${name}-${stage}-${sequence}`, stage, sequence }));
    await state.save({ ...record, deployment: { ...record.deployment, phase } }, undefined);
  }
};
const storedSequences = (): number[] =>
  state
    .records('shop')
    .map(({ deployment }) => deployment.sequence)
    .sort((a, b) => a - b);

test('the newest fifty of each workflow and stage are retained, and the reported count of pruned ones is correct', async () => {
  await storeRecords(53, 'failed');
  await storeRecords(50, 'rolledBack', { stage: 'test', from: 101 });
  expect(await deleteOldDeployments(state, 'shop')).toBe(3);
  expect(storedSequences()).toEqual([
    ...Array.from({ length: 50 }, (_, i) => 4 + i),
    ...Array.from({ length: 50 }, (_, i) => 101 + i),
  ]);
  expect(await deleteOldDeployments(state, 'shop')).toBe(0);
});

test('running, waiting and rollback deployments are never pruned, regardless of their age', async () => {
  await storeRecords(1, 'progressing', { from: 1, name: 'progressing' });
  await storeRecords(1, 'failed', { from: 2, name: 'open' });
  await storeRecords(1, 'ready', { from: 3, name: 'stands' });
  await storeRecords(1, 'ready', { from: 4, name: 'replaced' });
  await storeRecords(50, 'superseded', { from: 10 });
  await state.changeLedger('shop', (empty) => {
    const started = opened(opened(empty, application({ id: 'open-prod-2' })), application({ id: 'stands-prod-3' }));
    return { ledger: closed(started, 'stands-prod-3', requestedAt, true), result: undefined };
  });
  expect(await deleteOldDeployments(state, 'shop')).toBe(1);
  expect(storedSequences().slice(0, 4)).toEqual([1, 2, 3, 10]);
});

test('deployments of other projects are never pruned', async () => {
  await storeRecords(60, 'failed');
  expect(await deleteOldDeployments(state, 'other')).toBe(0);
  expect(storedSequences()).toHaveLength(60);
});
