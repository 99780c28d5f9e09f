import { nodeFactsOf } from '../../../lib/controller/observed/node-facts';
import { type LiveObject } from '../../../lib/kube';

const node = (spec: object, status: object): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1', uid: 'u', resourceVersion: '5', labels: { pool: 'gpu' } },
  spec,
  status,
});

describe('cached node facts', () => {
  it('hold capacity in whole numbers: millicores, bytes, units', () => {
    const allocatable = {
      cpu: '3920m',
      memory: '15Gi',
      pods: '110',
      'nvidia.com/gpu': '8',
      'ephemeral-storage': '1.5k',
    };
    const facts = nodeFactsOf(node({}, { allocatable, conditions: [{ type: 'Ready', status: 'True' }] }));
    expect(facts.allocatable).toEqual({
      cpu: 3920,
      memory: 15 * 2 ** 30,
      pods: 110,
      'nvidia.com/gpu': 8,
      'ephemeral-storage': 1500,
    });
    expect(facts).toMatchObject({
      name: 'node-1',
      ready: true,
      unschedulable: false,
      labels: { pool: 'gpu' },
      taints: [],
    });
  });

  it('report that a cordoned, tainted or not ready node accepts no pods', () => {
    const taints = [
      { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' },
    ];
    const facts = nodeFactsOf(
      node({ unschedulable: true, taints }, { conditions: [{ type: 'Ready', status: 'Unknown' }] }),
    );
    expect(facts).toMatchObject({ ready: false, unschedulable: true, allocatable: {} });
    expect(facts.taints).toEqual([{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }]);
  });
});
