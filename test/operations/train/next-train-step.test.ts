import * as fc from 'fast-check';
import { nextTrainStep, type TrainObservation, type TrainRecord, type TrainStep } from '../../../lib/operations';

const at = (minutes: number): string => new Date(minutes * 60_000).toISOString();
const cluster = { context: 'east', manifests: ['change.yaml'], soak: 30 * 60_000, canary: 'Required' } as const;
const well: TrainObservation = { notReady: [], waits: [], canary: { state: 'open', reasons: [] } };
const begun: TrainRecord = { digest: 'new', startedAt: at(0), notReadyBefore: ['PinterestService shop/old'] };
const applied: TrainRecord = { ...begun, appliedAt: at(1) };
const settled: TrainRecord = { ...applied, settledAt: at(2) };

/** Returns the next step at a minute. */
const step = (
  record: TrainRecord | undefined,
  observation: Partial<TrainObservation> = {},
  minute = 10,
  canary: 'Required' | 'Skip' = 'Required',
): TrainStep =>
  nextTrainStep({
    ...{ record, digest: 'new', cluster: { ...cluster, canary }, observation: { ...well, ...observation } },
    ...{ since: 0, deadline: 60 * 60_000, now: minute * 60_000 },
  });

describe('before the change', () => {
  test('it begins on a cluster that is well, also after another change', () => {
    expect(step(undefined)).toEqual({ do: 'begin' });
    expect(step({ ...settled, digest: 'former', passedAt: at(3) })).toEqual({ do: 'begin' });
  });

  test('it does not begin while something else is broken, or without a canary that passes', () => {
    expect(step(undefined, { waits: ['the Platform is not Ready: a profile is missing'] })).toEqual({
      do: 'halt',
      reason: 'the cluster is not well before the change: the Platform is not Ready: a profile is missing',
    });
    const absent = { canary: { state: 'absent', reasons: ['there is no canary report'] } } as const;
    expect(step(undefined, absent)).toEqual({
      do: 'halt',
      reason:
        'the canary does not pass before the change: there is no canary report; install the canary, or set canary: Skip for this cluster',
    });
    expect(step(undefined, absent, 10, 'Skip')).toEqual({ do: 'begin' });
  });

  test('workloads that are not Ready before do not hold it up, then or later', () => {
    expect(step(undefined, { notReady: ['PinterestService shop/old'] })).toEqual({ do: 'begin' });
    expect(step(applied, { notReady: ['PinterestService shop/old'] })).toEqual({ do: 'settle' });
  });
});

describe('after the change', () => {
  test('manifests are applied, again if it was interrupted', () => {
    expect(step(begun)).toEqual({ do: 'apply' });
  });

  test('it waits for workloads, the controllers and the canary until the deadline', () => {
    const broken: Partial<TrainObservation> = {
      notReady: ['PinterestService shop/old', 'PinterestService shop/cart'],
      waits: ['Deployment pinion-controller has not rolled out'],
      canary: { state: 'pending', reasons: ['no canary run that began after the change has finished'] },
    };
    const reasons = [
      'Deployment pinion-controller has not rolled out',
      'not Ready since the change: PinterestService shop/cart',
      'no canary run that began after the change has finished',
    ];
    expect(step(applied, broken, 59)).toEqual({ do: 'wait', reasons });
    expect(step(applied, broken, 60)).toEqual({
      do: 'halt',
      reason: `the cluster did not settle in time: ${reasons.join('; ')}`,
    });
  });

  test('a canary that fails stops it at once', () => {
    expect(step(applied, { canary: { state: 'closed', reasons: ['PinterestService through synth: failed'] } })).toEqual(
      {
        do: 'halt',
        reason: 'the canary failed after the change: PinterestService through synth: failed',
      },
    );
  });

  test('it passes when the cluster has been well for the soak time, and stops if it does not stay so', () => {
    expect(step(applied)).toEqual({ do: 'settle' });
    expect(step(settled, {}, 31)).toEqual({ do: 'wait', reasons: [] });
    expect(step(settled, {}, 32)).toEqual({ do: 'pass' });
    expect(step(settled, { notReady: ['PinterestService shop/cart'] }, 31)).toMatchObject({
      do: 'halt',
      reason: 'the cluster did not stay well: not Ready since the change: PinterestService shop/cart',
    });
    expect(step({ ...settled, passedAt: at(32) }, { waits: ['anything'] })).toEqual({ do: 'skip' });
  });
});

test('a cluster passes only after all of its parts, in whatever order observations come', () => {
  const observation = fc.record({
    notReady: fc.constantFrom<readonly string[]>([], ['PinterestService shop/cart']),
    waits: fc.constantFrom<readonly string[]>([], ['the Platform is not Ready']),
    canary: fc.record({
      state: fc.constantFrom('open' as const, 'closed' as const, 'pending' as const, 'absent' as const),
      reasons: fc.constant(['a reason']),
    }),
  });
  fc.assert(
    fc.property(fc.array(observation, { minLength: 1, maxLength: 60 }), (observations) => {
      let record: TrainRecord | undefined;
      let wellSince: number | undefined;
      for (const [minute, seen] of observations.entries()) {
        const isWell = seen.notReady.length === 0 && seen.waits.length === 0 && seen.canary.state === 'open';
        const next = step(record, seen, minute);
        if (next.do === 'begin') record = { ...begun, notReadyBefore: [], startedAt: at(minute) };
        if (next.do === 'apply') record = { ...(record as TrainRecord), appliedAt: at(minute) };
        if (next.do === 'settle') {
          expect(isWell).toBe(true);
          wellSince = minute;
          record = { ...(record as TrainRecord), settledAt: at(minute) };
        }
        if (next.do === 'halt' && record) record = { ...begun, ...(record.appliedAt !== undefined && applied) };
        if (next.do === 'pass') {
          expect(minute - (wellSince ?? minute)).toBeGreaterThanOrEqual(30);
          expect(isWell).toBe(true);
          return;
        }
      }
    }),
  );
});
