import { isWorkloadReady, metadataKeys } from '../../../lib/api';
import { type LiveObject } from '../../../lib/kube';
import { workloadCause, isStalled, progressOf, computeWorkloadStatus } from '../../../lib/submission/engine/readiness';

/** Returns a workload with the given conditions, status and spec. */
function live(
  conditions: Readonly<Record<string, string>> | undefined,
  { status = {}, spec = {}, observed = 3, sequence = '8' } = {},
): LiveObject {
  const list = conditions && Object.entries(conditions).map(([type, state]) => ({ type, status: state }));
  return {
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestService',
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: 'uid',
      resourceVersion: '1',
      generation: 3,
      annotations: { [metadataKeys.deploymentSequence]: sequence },
    },
    spec,
    ...(list && { status: { observedGeneration: observed, conditions: list, ...status } }),
  };
}
const cause = { owner: 'application', reason: 'CrashLoop', message: 'exits repeatedly' } as const;

test.each([
  ['is Ready', live({ Ready: 'True' }), { ready: true, stalled: false }],
  ['is complete', live({ Complete: 'True', Ready: 'False' }), { ready: true, stalled: false }],
  ['is not Ready yet', live({ Ready: 'False' }), { ready: false, stalled: false }],
  ['has an unknown status', live({ Ready: 'Unknown' }), { ready: false, stalled: false }],
  ['is stalled', live({ Ready: 'False', Stalled: 'True' }), { ready: false, stalled: true }],
  ['has failed', live({ Failed: 'True' }), { ready: false, stalled: true }],
  ['was Ready before its spec changed', live({ Ready: 'True' }, { observed: 2 }), { ready: false, stalled: false }],
  ['had failed before its spec changed', live({ Failed: 'True' }, { observed: 2 }), { ready: false, stalled: false }],
  ['has no status', live(undefined), { ready: false, stalled: false }],
])('a workload that %s', (_, workload, { ready, stalled }) => {
  expect([isWorkloadReady(workload), isStalled(workload)]).toEqual([ready, stalled]);
});

test.each([
  ['replicas of the desired count', { readyReplicas: 2 }, { replicas: 3 }, '2/3 ready'],
  ['replicas of a count that an autoscaler sets', { readyReplicas: 2, replicas: 5 }, {}, '2/5 ready'],
  ['zero replicas', {}, { replicas: 3 }, '0/3 ready'],
  ['nodes', { desiredNodes: 4, readyNodes: 1 }, {}, '1/4 nodes ready'],
  ['nodes of which none is desired', { desiredNodes: 0 }, {}, '0/0 nodes ready'],
  ['members', { readyMembers: '3/8' }, {}, '3/8 members ready'],
  ['shards', { shards: { succeeded: 5, active: 2 } }, {}, '5 shards succeeded, 2 running'],
  ['shards of which none runs yet', { shards: {} }, {}, '0 shards succeeded, 0 running'],
  ['its phase if nothing else is known', { phase: 'Waiting' }, {}, 'Waiting'],
  [
    'the hook before its pods change',
    { readyReplicas: 2, beforeDeployment: { phase: 'Running', hook: 'migrate' } },
    { replicas: 2 },
    'hook migrate running',
  ],
  [
    'the hook that failed',
    { readyReplicas: 2, beforeDeployment: { phase: 'Failed', hook: 'migrate' } },
    { replicas: 2 },
    'hook migrate failed',
  ],
  [
    'replicas after its hooks',
    { readyReplicas: 2, beforeDeployment: { phase: 'Succeeded' } },
    { replicas: 2 },
    '2/2 ready',
  ],
  ['nothing', {}, {}, undefined],
])('progress is reported by %s', (_, status, spec, expected) => {
  expect(progressOf(live({}, { status, spec }))).toBe(expected);
});

describe('the progress of a workload of a deployment', () => {
  const before = { kind: 'PinterestService', name: 'web', change: 'changed', applied: true, ready: false } as const;
  const status = { cause, readyReplicas: 1 };

  test('is read from its status, with the number of the deployment or a later one', () => {
    const one = live({ Ready: 'False' }, { status, spec: { replicas: 2 } });
    const expected = { ...before, ready: false, progress: '1/2 ready', cause };
    expect([computeWorkloadStatus(before, one, 8), computeWorkloadStatus(before, one, 6)]).toEqual([
      expected,
      expected,
    ]);
    expect(computeWorkloadStatus({ ...before, cause, progress: '0/2 ready' }, live({ Ready: 'True' }), 8)).toEqual({
      ...before,
      ready: true,
    });
  });

  test('ignores the status from an earlier deployment, and that of a deleted workload', () => {
    const old = live({ Ready: 'True' }, { status, sequence: '6' });
    expect([computeWorkloadStatus(before, old, 8), computeWorkloadStatus(before, undefined, 8)]).toEqual([
      before,
      before,
    ]);
  });

  test('has no cause from a status of an earlier spec', () => {
    expect(workloadCause(live({ Ready: 'False' }, { status }))).toEqual(cause);
    expect(workloadCause(live({ Ready: 'False' }, { status, observed: 2 }))).toBeUndefined();
  });
});
