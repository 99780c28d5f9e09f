import { conditionOf, conditionsIn, isObserved, isWorkloadReady, trueCondition } from '../../lib/api';

const status = {
  observedGeneration: 2,
  conditions: [
    { type: 'Ready', status: 'True', reason: 'Ready' },
    { type: 'Stalled', status: 'False', reason: 'Ready' },
  ],
};

test('finds a condition by type, with any status or only if it is True', () => {
  expect(conditionOf(status, 'Stalled')).toMatchObject({ type: 'Stalled', status: 'False' });
  expect(trueCondition(status, 'Ready')).toMatchObject({ reason: 'Ready' });
  expect([trueCondition(status, 'Stalled'), conditionOf(status, 'Failed')]).toEqual([undefined, undefined]);
});

test.each([undefined, null, {}, { conditions: null }, { conditions: 'Ready' }, 'Ready'])(
  'reads no conditions from the status %j',
  (nothing) => {
    expect(conditionsIn(nothing)).toEqual([]);
    expect(conditionOf(nothing, 'Ready')).toBeUndefined();
  },
);

test.each([
  ['Ready', 2, true],
  ['Complete', 2, true],
  ['Stalled', 2, false],
  ['Ready', 3, false],
])('a workload with %s of generation 2 is ready at generation %i: %j', (type, generation, ready) => {
  const live = { metadata: { generation }, status: { ...status, conditions: [{ type, status: 'True' }] } };
  expect([isWorkloadReady(live), isObserved(live)]).toEqual([ready, generation === 2]);
});
