import { safeParseManifest } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';

const { runtime: _, ...spec } = defaultPlatform.spec;

/** Problems of a Platform with these fields. */
const problemsOf = (fields: object): readonly object[] =>
  safeParseManifest({ ...defaultPlatform, spec: { ...spec, ...fields } }).problems.map(
    ({ path, severity, reason, remedy }) => ({ path: path.join('.'), severity, reason, remedy }),
  );

test('a Platform that changes all workloads at once gets a warning with the remedy', () => {
  expect(problemsOf({ runtime: { rollout: 'Immediate' } })).toEqual([
    {
      path: 'spec.runtime.rollout',
      severity: 'warning',
      reason: 'restarts the pods of all workloads at once when the profile changes',
      remedy: 'set rollouts, such as {}, so that changes reach workloads in waves, and remove it',
    },
  ]);
});

test('the deprecated field gets a warning where it does not count', () => {
  expect(problemsOf({ runtime: { rollout: 'Immediate' }, rollouts: {} })).toEqual([
    {
      path: 'spec.runtime.rollout',
      severity: 'warning',
      reason: 'does not count, because rollouts is set',
      remedy: 'remove it',
    },
  ]);
});

test('a Platform with rollouts, or with the default of the field, gets none', () => {
  expect([problemsOf({ rollouts: {} }), problemsOf({})]).toEqual([[], []]);
});
