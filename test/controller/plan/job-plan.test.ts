import { metadataKeys } from '../../../lib/api';
import { type KubernetesObject } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { applied, object, objectsIn, planned, stored, describePlan, withSpec, withStatus } from './plan-fixture';

describe('a Job', () => {
  const job = (image: string, run?: string, more: object = {}) =>
    object(
      'Job',
      'work',
      { spec: { completions: 1, template: { spec: { containers: [{ name: 'app', image }] } }, ...more } },
      run === undefined ? {} : { annotations: { [metadataKeys.run]: run } },
    );
  const running = { startTime: '2026-01-01T00:00:00Z' };
  const over = { ...running, conditions: [{ type: 'Complete', status: 'True' }] };
  const live = (sent: KubernetesObject, status: object) => applied([sent]).map((one) => withStatus(one, status));

  test.each([
    ['another run replaces it', job('a', 'r-0'), running, job('a', 'r-1'), ['replaced Job/work Foreground', 'waits']],
    [
      'another run replaces one that ended',
      job('a', 'r-0'),
      over,
      job('a', 'r-1'),
      ['replaced Job/work Foreground', 'waits'],
    ],
    ['one that ended is left alone', job('a', 'r-0'), over, job('b', 'r-0', { suspend: true }), []],
    [
      'one that never started is recreated',
      job('a', 'r-0', { suspend: true }),
      {},
      job('b', 'r-0'),
      ['replaced Job/work Background', 'waits'],
    ],
    [
      'one that waited may start',
      job('a', 'r-0', { suspend: true }),
      {},
      job('a', 'r-0', { suspend: false }),
      ['changed Job/work'],
    ],
    [
      'one that is suspended again after partial progress is not recreated',
      job('a', 'r-0', { suspend: true }),
      { succeeded: 1, completedIndexes: '0', conditions: [{ type: 'Suspended', status: 'True' }] },
      job('b', 'r-0'),
      ['changed Job/work'],
    ],
    [
      'one without a managed run asks before it loses progress',
      job('a'),
      running,
      job('b'),
      ['DestructiveChangeBlocked Job/work'],
    ],
  ])('%s', (_, before, status, after, expected) => {
    expect(describePlan(planned([after], live(before, status)))).toEqual(expected);
  });

  test('one that runs keeps its pods when only the platform changes, and is then left alone', () => {
    const [before] = live(job('a', 'r-0'), running) as [LiveObject];
    const desired = [job('b', 'r-0', { ttlSecondsAfterFinished: 60 })];
    const { steps } = planned(desired, [before]);
    expect(steps).toMatchObject([
      {
        reason: 'changed',
        object: { spec: { ttlSecondsAfterFinished: 60, template: { spec: { containers: [{ image: 'a' }] } } } },
      },
    ]);
    const next = withStatus(stored(objectsIn({ steps })[0] as KubernetesObject), running);
    expect(describePlan(planned(desired, [next]))).toEqual([]);
  });

  test('one that only has to be resumed is not recreated', () => {
    const [before] = live(job('a', 'r-0', { suspend: true }), {}) as [LiveObject];
    const spec = before['spec'] as { template: { spec: object } };
    const template = { spec: { ...spec.template.spec, dnsPolicy: 'ClusterFirst' } };
    const lives = withSpec(before, { template });
    const desired = job('a', 'r-0', { template, suspend: false });
    expect(describePlan(planned([desired], [lives]))).toEqual(['changed Job/work']);
  });

  test('with consent it restarts', () => {
    const consent = { allowLoss: new Set<'Claims' | 'Progress'>(['Progress']) };
    expect(describePlan(planned([job('b')], live(job('a'), running), consent))).toEqual([
      'replaced Job/work Foreground',
      'waits',
    ]);
  });
});
