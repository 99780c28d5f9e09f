import * as fc from 'fast-check';
import {
  nextTrainStep,
  type TrainObservation,
  type TrainRecord,
  type TrainStep,
  type TrainStepInput,
} from '../../../lib/operations';

const at = (minutes: number): string => new Date(minutes * 60_000).toISOString();
const cluster = { context: 'east', manifests: ['change.yaml'], soak: 30 * 60_000, canary: 'Required' } as const;
const well: TrainObservation = {
  notReady: [],
  rollingOut: [],
  waits: [],
  rollout: { waits: [], isRolledBack: false },
  canary: { state: 'open', reasons: [] },
};
const begun: TrainRecord = { digest: 'new', startedAt: at(0), notReadyBefore: ['PinterestService shop/old'] };
const applied: TrainRecord = { ...begun, appliedAt: at(1) };
const rolledOut: TrainRecord = { ...applied, rolledOutAt: at(1) };
const settled: TrainRecord = { ...rolledOut, settledAt: at(2) };

/** Returns the next step at a minute. */
const step = (
  record: TrainRecord | undefined,
  observation: Partial<TrainObservation> = {},
  minute = 10,
  canary: 'Required' | 'Skip' = 'Required',
  more: Partial<TrainStepInput> = {},
): TrainStep =>
  nextTrainStep({
    ...{ record, digest: 'new', cluster: { ...cluster, canary }, observation: { ...well, ...observation } },
    ...{ since: 0, unwellSince: undefined, now: minute * 60_000, isBack: false },
    ...{ train: { deadline: 60 * 60_000, tolerance: 10 * 60_000 }, ...more },
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
    expect(step(rolledOut, { notReady: ['PinterestService shop/old'] })).toEqual({ do: 'settle' });
  });
});

describe('on a cluster with rollouts', () => {
  const progressing = { rollout: { waits: ['rollout rollout-2 is in wave early'], isRolledBack: false } };
  const stoppedBy = (stopped: string, isRolledBack = false) => ({
    rollout: { waits: [stopped], stopped, isRolledBack },
  });

  test('a change does not begin before a former one is rolled out, but after one was rolled back', () => {
    expect(step(undefined, progressing)).toEqual({
      do: 'halt',
      reason: 'the cluster is not well before the change: rollout rollout-2 is in wave early',
    });
    expect(step(undefined, stoppedBy('rollout rollout-2 is Failed'))).toMatchObject({ do: 'halt' });
    expect(step(undefined, stoppedBy('rollout rollout-2 is RolledBack', true))).toEqual({ do: 'begin' });
  });

  test('it settles once the revision is rolled out', () => {
    expect(step(applied, progressing)).toEqual({ do: 'rolledOut' });
    expect(step(rolledOut, progressing)).toEqual({ do: 'wait', reasons: progressing.rollout.waits });
    expect(step(rolledOut)).toEqual({ do: 'settle' });
  });

  test('a rollout that does not continue stops the train with its reason', () => {
    const stopped = 'rollout rollout-2 is Paused (Stalled): cart';
    expect(step(rolledOut, stoppedBy(stopped))).toEqual({ do: 'halt', reason: stopped });
    expect(step(settled, stoppedBy(stopped))).toEqual({ do: 'halt', reason: stopped });
    // Until the controller has seen the Platform, its status is about the former change.
    const unseen = { ...stoppedBy(stopped), rollingOut: ['the controller has not seen the Platform yet'] };
    expect(step(applied, unseen)).toMatchObject({ do: 'wait' });
    expect(step(begun, stoppedBy(stopped))).toEqual({ do: 'apply' });
  });
});

describe('after the change', () => {
  test('manifests are applied, again if it was interrupted', () => {
    expect(step(begun)).toEqual({ do: 'apply' });
  });

  test('it waits for workloads, the controllers and the canary until the deadline', () => {
    const broken: Partial<TrainObservation> = {
      notReady: ['PinterestService shop/old', 'PinterestService shop/cart'],
      rollingOut: ['Deployment pinion-controller has not rolled out'],
      waits: ['3 workloads are still on another runtime profile'],
      canary: { state: 'pending', reasons: ['no canary run that began after the change has finished'] },
    };
    const reasons = [
      'Deployment pinion-controller has not rolled out',
      '3 workloads are still on another runtime profile',
      'not Ready since the change: PinterestService shop/cart',
      'no canary run that began after the change has finished',
    ];
    expect(step(applied, broken, 59)).toEqual({ do: 'wait', reasons });
    expect(step(applied, broken, 60)).toEqual({
      do: 'halt',
      reason: `the cluster did not settle in time: ${reasons.join('; ')}`,
    });
  });

  test('canary runs count once the Platform and the controllers have the change; one that fails then stops it at once', () => {
    const closed = { canary: { state: 'closed', reasons: ['PinterestService through synth: failed'] } } as const;
    expect(step(applied, closed)).toEqual({ do: 'rolledOut' });
    expect(step(applied, { ...closed, rollingOut: ['the controller has not seen the Platform yet'] })).toMatchObject({
      do: 'wait',
    });
    expect(
      step(rolledOut, { canary: { state: 'closed', reasons: ['PinterestService through synth: failed'] } }),
    ).toEqual({
      do: 'halt',
      reason: 'the canary failed after the change: PinterestService through synth: failed',
    });
  });

  test('it passes when the cluster has been well for the soak time', () => {
    expect(step(rolledOut)).toEqual({ do: 'settle' });
    expect(step(settled, {}, 31)).toEqual({ do: 'wait', reasons: [] });
    expect(step(settled, {}, 32)).toEqual({ do: 'pass' });
    expect(step({ ...settled, passedAt: at(32) }, { waits: ['anything'] })).toEqual({ do: 'skip' });
  });

  test('a cluster that soaks may be unwell for the tolerance, as while a team deploys, and does not pass meanwhile', () => {
    const unwell = { notReady: ['PinterestService shop/cart'] };
    const reasons = ['not Ready since the change: PinterestService shop/cart'];
    const since = { unwellSince: 30 * 60_000 };
    expect(step(settled, unwell, 39, 'Required', since)).toEqual({ do: 'wait', reasons });
    expect(step(settled, unwell, 40, 'Required', since)).toEqual({
      do: 'halt',
      reason: `the cluster did not stay well: ${reasons.join('')}`,
    });
  });
});

describe('a change that is taken back', () => {
  const back = { isBack: true };
  const unwell: Partial<TrainObservation> = {
    waits: ['the rollout of the runtime profile is blocked'],
    canary: { state: 'closed', reasons: ['PinterestService through synth: failed'] },
  };

  test('begins on a cluster that is unwell, and needs neither canary nor soak', () => {
    expect(step({ ...applied, digest: 'former' }, unwell, 10, 'Required', back)).toEqual({ do: 'begin' });
    expect(step(rolledOut, { canary: unwell.canary ?? well.canary }, 10, 'Required', back)).toEqual({ do: 'settle' });
    expect(step(settled, {}, 3, 'Required', back)).toEqual({ do: 'pass' });
  });

  test('passes only when the cluster is well again', () => {
    expect(step(rolledOut, unwell, 10, 'Required', back)).toEqual({ do: 'wait', reasons: unwell.waits });
  });
});

test('a cluster passes only after all of its parts, in whatever order observations come', () => {
  const observation = fc.record({
    notReady: fc.constantFrom<readonly string[]>([], ['PinterestService shop/cart']),
    rollingOut: fc.constantFrom<readonly string[]>([], ['the Platform is not Ready']),
    waits: fc.constantFrom<readonly string[]>([], ['2 workloads are held']),
    rollout: fc.constantFrom(well.rollout, { waits: ['rollout rollout-2 is in wave early'], isRolledBack: false }),
    canary: fc.record({
      state: fc.constantFrom('open' as const, 'closed' as const, 'pending' as const, 'absent' as const),
      reasons: fc.constant(['a reason']),
    }),
  });
  fc.assert(
    fc.property(fc.array(observation, { minLength: 1, maxLength: 60 }), (observations) => {
      let record: TrainRecord | undefined;
      let wellSince: number | undefined;
      let unwellSince: number | undefined;
      for (const [minute, seen] of observations.entries()) {
        const isWell =
          [...seen.notReady, ...seen.rollingOut, ...seen.waits, ...seen.rollout.waits].length === 0 &&
          seen.canary.state === 'open';
        const next = step(record, seen, minute, 'Required', { unwellSince });
        unwellSince = next.do === 'wait' && next.reasons.length > 0 ? (unwellSince ?? minute * 60_000) : undefined;
        if (next.do === 'begin') record = { ...begun, notReadyBefore: [], startedAt: at(minute) };
        if (next.do === 'apply') record = { ...(record as TrainRecord), appliedAt: at(minute) };
        if (next.do === 'rolledOut') record = { ...(record as TrainRecord), rolledOutAt: at(minute) };
        if (next.do === 'settle') {
          expect(isWell).toBe(true);
          wellSince = minute;
          record = { ...(record as TrainRecord), settledAt: at(minute) };
        }
        if (next.do === 'halt' && record) record = { ...record, settledAt: undefined } as unknown as TrainRecord;
        if (next.do === 'pass') {
          expect(minute - (wellSince ?? minute)).toBeGreaterThanOrEqual(30);
          expect(isWell).toBe(true);
          return;
        }
      }
    }),
  );
});
