import { builtInLevels, planCapacity, seatsOf } from '../../lib/capacity';
import { installManifests } from '../../lib/expand';
import { makeLoad } from './make-load';

test.each([
  [600, [74, 98, 25, 98, 245, 49, 13]],
  [640, [79, 105, 27, 105, 262, 53, 14]],
  [2000, [245, 327, 82, 327, 817, 164, 41]],
])('%i seats are divided among the built-in levels as the API server does', (total, seats) => {
  expect(Object.values(seatsOf(builtInLevels, total))).toEqual(seats);
});

test('expensive list requests from service accounts have a separate priority level without borrowing', () => {
  const { flowControl, seats, values } = planCapacity(makeLoad());
  const [level, exempt, limiting] = flowControl;
  expect(level).toMatchObject({
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'heavy-lists' },
    spec: { limited: { nominalConcurrencyShares: 5, lendablePercent: 0, borrowingLimitPercent: 0 } },
  });
  expect(limiting?.spec).toMatchObject({
    priorityLevelConfiguration: { name: 'heavy-lists' },
    rules: [{ resourceRules: [{ verbs: ['list', 'watch'], resources: ['pods', 'nodes'] }] }],
  });
  expect(Number(exempt?.spec['matchingPrecedence'])).toBeLessThan(Number(limiting?.spec['matchingPrecedence']));
  expect(seats['heavy-lists']).toBe(
    Math.ceil(((values.maxRequestsInflight.value + values.maxMutatingRequestsInflight.value) * 5) / 250),
  );
});

test('the service account of the installed controller is exempt', () => {
  const { flowControl } = planCapacity(makeLoad());
  const account = installManifests({ image: 'registry.example.com/pinion:1' }).find(
    ({ kind }) => kind === 'ServiceAccount',
  );
  const { name, namespace } = account?.metadata ?? {};
  expect(JSON.stringify(flowControl[1]?.spec)).toContain(
    JSON.stringify({ kind: 'ServiceAccount', serviceAccount: { namespace, name } }),
  );
});
